//! The paper's search as its figure 3 has it, line for line: for measuring against, and as a second twin.

use yomikiri_games::saichugen::rules::{Card, SEATS, TURNS, kept, payoffs, sum, turn_winner};
use yomikiri_games::saichugen::view::View;

/// The sums of the paper's search for every card of the hand, lowest first, and the card it plays: the first
/// with the largest sum.
pub fn figure_3(view: &View) -> (Vec<(Card, i64)>, Option<Card>) {
    let mut search = Search {
        hand: view.hand.iter().collect(),
        unused: view.unknown.iter().collect(),
        scores: view.scores,
        round: view.round,
        sums: Vec::new(),
    };
    let (_, card) = search.search(view.turn, true);
    (search.sums, card)
}

struct Search {
    hand: Vec<Card>,
    unused: Vec<Card>,
    scores: [u8; SEATS],
    round: [u8; SEATS],
    sums: Vec<(Card, i64)>,
}

impl Search {
    fn search(&mut self, turn: u8, top: bool) -> (i64, Option<Card>) {
        if turn > TURNS {
            return (i64::from(payoffs(sum(self.scores, kept(self.round)))[0]), None);
        }
        let (mut most, mut chosen) = (i64::MIN, None);
        for i in 0..self.hand.len() {
            let card = self.hand.remove(i);
            let mut total = 0;
            for j in 0..self.unused.len() {
                let first = self.unused.remove(j);
                for k in 0..self.unused.len() {
                    let second = self.unused.remove(k);
                    let played = [card, first, second];
                    let winner = turn_winner(played);
                    let points = played[winner].points();
                    self.round[winner] += points;
                    total += self.search(turn + 1, false).0;
                    self.round[winner] -= points;
                    self.unused.insert(k, second);
                }
                self.unused.insert(j, first);
            }
            self.hand.insert(i, card);
            if top {
                self.sums.push((card, total));
            }
            if total > most {
                (most, chosen) = (total, Some(card));
            }
        }
        (most, chosen)
    }
}
