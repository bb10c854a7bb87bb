//! Work that waits for its turn: a set number of pieces at once, the others in line.

use crate::Host;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

type Task = Box<dyn FnOnce() + Send>;

/// A line of work.
pub struct Queue {
    at_once: usize,
    most: usize,
    line: Mutex<Line>,
}

#[derive(Default)]
struct Line {
    running: usize,
    waiting: VecDeque<Task>,
}

impl Queue {
    /// A line with so many pieces of work at once, and so many at once and waiting together.
    pub fn new(at_once: usize, most: usize) -> Arc<Queue> {
        Arc::new(Queue { at_once: at_once.max(1), most, line: Mutex::default() })
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Does some work when its turn comes; false if the line is full. Work does not panic.
    pub fn push(self: &Arc<Queue>, host: &dyn Host, work: Task) -> bool {
        let mut line = self.line();
        if line.running + line.waiting.len() >= self.most {
            return false;
        }
        if line.running >= self.at_once {
            line.waiting.push_back(work);
            return true;
        }
        line.running += 1;
        // A host without threads does the work before it comes back.
        drop(line);
        let queue = Arc::clone(self);
        host.spawn(Box::new(move || {
            let mut next = Some(work);
            while let Some(work) = next {
                work();
                next = queue.next();
            }
        }));
        true
    }

    /// The work whose turn it is; if there is none, the place is free.
    fn next(&self) -> Option<Task> {
        let mut line = self.line();
        let next = line.waiting.pop_front();
        if next.is_none() {
            line.running -= 1;
        }
        next
    }

    /// Whether nothing runs.
    pub fn idle(&self) -> bool {
        self.line().running == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    /// Keeps what it is to do until it is told to.
    #[derive(Default)]
    struct Later(Mutex<Vec<Task>>);

    impl Host for Later {
        fn now(&self) -> Duration {
            Duration::ZERO
        }
        fn spawn(&self, work: Task) {
            self.0.lock().unwrap().push(work);
        }
    }

    #[test]
    fn law_so_many_at_once_the_rest_in_line_and_no_more() {
        let (host, queue) = (Later::default(), Queue::new(2, 4));
        let done = Arc::new(AtomicUsize::new(0));
        let push = || {
            let done = Arc::clone(&done);
            let work = move || {
                done.fetch_add(1, Ordering::SeqCst);
            };
            queue.push(&host, Box::new(work))
        };
        assert_eq!([(); 5].map(|()| push()), [true, true, true, true, false]);
        let mut work = std::mem::take(&mut *host.0.lock().unwrap());
        assert_eq!((work.len(), queue.idle()), (2, false));
        // The first of the two does those in line as well.
        work.remove(0)();
        assert_eq!((done.load(Ordering::SeqCst), queue.idle()), (3, false));
        work.remove(0)();
        assert_eq!((done.load(Ordering::SeqCst), queue.idle()), (4, true));
        assert!(push());
    }
}
