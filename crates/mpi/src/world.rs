//! The ranks of MPI.

use mpi::datatype::{Partition, PartitionMut};
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use yomikiri_solve::retrograde::ranks::{Incoming, Ranks};

/// All ranks that `mpirun` has started.
pub struct World(SimpleCommunicator);

impl World {
    /// The ranks of a communicator.
    pub fn new(world: SimpleCommunicator) -> World {
        World(world)
    }
}

/// Where each of some lengths begins, as MPI counts.
fn places(counts: &[i32]) -> Vec<i32> {
    counts
        .iter()
        .scan(0, |at, count| {
            let begin = *at;
            *at += count;
            Some(begin)
        })
        .collect()
}

impl Ranks for World {
    fn rank(&self) -> usize {
        self.0.rank() as usize
    }

    fn size(&self) -> usize {
        self.0.size() as usize
    }

    fn exchange(&self, out: &mut [Vec<u32>], flags: u32, incoming: &mut Incoming) -> u32 {
        let (me, size) = (self.rank(), self.size());
        // What follows, and what is wished: one message less.
        let mut heads = vec![0u32; 2 * size];
        let mut words = Vec::with_capacity(out.iter().map(Vec::len).sum());
        for (r, own) in out.iter_mut().enumerate() {
            if r != me {
                heads[2 * r] = own.len() as u32;
                words.append(own);
            }
            heads[2 * r + 1] = flags;
        }
        let mut theirs = vec![0u32; 2 * size];
        self.0.all_to_all_into(&heads[..], &mut theirs[..]);
        // Batches are bounded: counts fit.
        let counts = |heads: &[u32]| -> Vec<i32> { heads.iter().step_by(2).map(|n| *n as i32).collect() };
        let (send, receive) = (counts(&heads), counts(&theirs));
        let (send_at, receive_at) = (places(&send), places(&receive));
        incoming.begin.clear();
        incoming.begin.extend(receive_at.iter().map(|at| *at as usize));
        let total = receive.iter().map(|n| *n as usize).sum();
        incoming.begin.push(total);
        incoming.words.resize(total, 0);
        let from = Partition::new(&words[..], &send[..], &send_at[..]);
        let mut to = PartitionMut::new(&mut incoming.words[..], &receive[..], &receive_at[..]);
        self.0.all_to_all_varcount_into(&from, &mut to);
        theirs.iter().skip(1).step_by(2).fold(0, |all, flags| all | flags)
    }
}
