//! How Memory for `K` players is written, named and seen.

use super::super::board;
use super::super::describe::a as with_article;
use super::super::rules::Pattern;
use super::super::table::{Act, Card, Layout};
use super::rules::{Aim, Party, Passes};
use super::seats::{Seated, Seats};
use crate::describe::{Describe, Past};
use yomikiri_core::text::counted;
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Each, Move, Seat, Viewer};

impl<const K: usize> Seats<K> {
    fn name(&self, seat: u8) -> Text {
        self.players().get(usize::from(seat)).cloned().unwrap_or_default()
    }

    /// A board with everybody's seat.
    fn seated(&self, s: &Seated, board: Board) -> Board {
        let seats = (0..K as u8)
            .map(|player| Seat::scoring(self.name(player), s.layout.pairs(player), text("pairs", "組")));
        Board { seats: seats.collect(), ..board }
    }

    /// Whose turn it is, in words.
    fn turn_line(&self, s: &Seated) -> Text {
        if self.turn(s) == Turn::Terminal {
            return text("the game is over", "終局");
        }
        let mover = self.name(s.layout.mover);
        if let (Some(place), Some(rank)) = (s.layout.stage.face_up(), s.layout.face_up()) {
            let (number, label) = (place + 1, self.table().label(rank));
            return Text::of(
                format!("{} to choose the second card (card {number} is {})", mover.en, with_article(&label)),
                format!("{}が2枚目を選ぶ番（{number}番は{label}）", mover.ja),
            );
        }
        if s.passes > 0 {
            let passes = usize::from(s.passes);
            return Text::of(
                format!("{} to move; {} before", mover.en, counted(passes as u64, "pass", "passes")),
                format!("{}の番（直前に{passes}人が続けてパス）", mover.ja),
            );
        }
        Text::of(format!("{} to move", mover.en), format!("{}の番", mover.ja))
    }

    /// The pairs of everybody in a line.
    fn pairs_line(&self, s: &Seated) -> Text {
        let each = |pick: fn(&Text) -> &str, gap: &str| {
            let all: Vec<String> =
                (0..K as u8).map(|p| format!("{} {}", pick(&self.name(p)), s.layout.pairs(p))).collect();
            all.join(gap)
        };
        Text::of(each(|t| &t.en, ", "), each(|t| &t.ja, "、"))
    }

    /// What a pass means: after those of all the others it may end the game.
    fn pass(&self, s: &Seated) -> Text {
        match self.party().terms().passes {
            Passes::End if usize::from(s.passes) + 1 == K => text(
                "pass, which ends the game: what lies there is nobody's",
                "パス：全員がパスしたことになり終局。残りは誰のものにもならない",
            ),
            _ => text("pass: show two known cards", "パス：既知のカードを2枚見せる"),
        }
    }
}

impl<const K: usize> Describe for Seats<K> {
    fn parse(&self, text: &str) -> Result<Seated, Refusal> {
        Ok(self.deal(&self.party().parse(text)?))
    }

    fn print(&self, s: &Seated) -> Option<String> {
        self.party().print(&self.position(s))
    }

    fn action(&self, s: &Seated, a: Act) -> Move {
        let m = self.table().action(&Self::plain(s), a);
        if a == Act::Pass { Move { label: self.pass(s), ..m } } else { m }
    }

    fn board(&self, s: &Seated, past: &Past<Self>, _: Viewer) -> Board {
        let past: Vec<(Layout, Act)> = past.iter().map(|(s, a)| (Self::plain(s), *a)).collect();
        let board = board::board(self.table(), &Self::plain(s), &past);
        Board { say: self.turn_line(s), ..self.seated(s, board) }
    }

    fn edit_board(&self, s: &Seated) -> Board {
        self.seated(s, board::whole(self.table(), &Self::plain(s)))
    }

    fn draw(&self, s: &Seated, _: Viewer) -> Text {
        let plain = Self::plain(s);
        let (grid, unknown) = (self.table().grid(&plain), self.table().unknown_cards(&plain));
        let (pairs, turn) = (self.pairs_line(s), self.turn_line(s));
        Text::of(
            format!("{grid}\nunknown: {unknown}\npairs: {}\n{}", pairs.en, turn.en),
            format!("{grid}\n未知：{unknown}\nペア：{}\n{}", pairs.ja, turn.ja),
        )
    }

    fn measure(&self) -> Measure {
        let name = match self.party().terms().aim {
            Aim::Win => text("Share of the win", "勝ちの分け前"),
            Aim::Pairs => text("Pairs", "ペア数"),
            Aim::Margin => text("Pairs more than the mean of the others", "他の平均とのペア差"),
        };
        Measure::Points { name }
    }

    fn prompt(&self, s: &Seated) -> Text {
        let (accepts, mover) = (self.accepts(s), self.name(s.layout.mover));
        match self.turn(s) {
            Turn::Terminal => text("", ""),
            _ if s.layout.stage.face_up().is_some() => Text::of(
                format!("{}: second card? ({})", mover.en, accepts.en),
                format!("{}：2枚目は？（{}）", mover.ja, accepts.ja),
            ),
            _ => Text::of(
                format!("{}: first card? ({})", mover.en, accepts.en),
                format!("{}：1枚目は？（{}）", mover.ja, accepts.ja),
            ),
        }
    }

    fn accepts(&self, s: &Seated) -> Text {
        self.table().accepted(&Self::plain(s), &self.legal(s))
    }

    fn understand(&self, s: &Seated, text: &str) -> Option<Act> {
        self.table().understand(&Self::plain(s), text)
    }

    fn alike(&self, s: &Seated, a: Act) -> Act {
        self.table().alike(&Self::plain(s), a)
    }

    fn happened(&self, before: &Seated, a: Act, after: &Seated) -> Text {
        self.table().happened(&Self::plain(before), a, &Self::plain(after))
    }

    fn result(&self, s: &Seated) -> Text {
        let position = self.position(s);
        let names: Vec<Text> = Party::leaders(&position.scores).map(|p| self.name(p as u8)).collect();
        let pairs = self.pairs_line(s);
        let join = |pick: fn(&Text) -> &str, gap: &str| names.iter().map(pick).collect::<Vec<_>>().join(gap);
        let verb = if names.len() == 1 { "wins" } else { "share the win" };
        Text::of(
            format!("{} {verb} ({})", join(|t| &t.en, " and "), pairs.en),
            format!("{}の勝ち（{}）", join(|t| &t.ja, "と"), pairs.ja),
        )
    }

    fn why(&self, s: &Seated) -> Text {
        let left = self.party().cards().remaining(&self.position(s).counts);
        let pairs = counted(left as u64, "pair is", "pairs are");
        match left {
            0 => text("all pairs are taken", "すべてのペアが取られた"),
            _ => Text::of(
                format!("everybody passed, and {pairs} left lying"),
                format!("全員が続けてパスし、{left}ペアが残った"),
            ),
        }
    }

    fn moment(&self, past: &Past<Self>, _: Viewer) -> Option<Board> {
        let (last, _) = past.last()?;
        let plain: Vec<(Layout, Act)> = past.iter().map(|(s, a)| (Self::plain(s), *a)).collect();
        Some(self.seated(last, board::moment(self.table(), &plain)?))
    }

    fn scores(&self, s: &Seated) -> Option<Vec<i64>> {
        Some((0..K as u8).map(|p| s.layout.pairs(p) as i64).collect())
    }

    fn rescored(&self, s: &Seated, scores: &[i64]) -> Option<String> {
        let now = self.position(s);
        let mut given = [0u16; K];
        if scores.len() != K {
            return None;
        }
        for (to, &n) in given.iter_mut().zip(scores) {
            *to = u16::try_from(n).ok()?;
        }
        // Scores are given by seat, and written in order of play.
        given.rotate_left(usize::from(now.mover));
        let after = self.party().legal(now.counts, given, now.passes.into()).ok()?;
        self.party().print(&after)
    }

    fn payoff(&self, s: &Seated, player: u8) -> f64 {
        let whole = f64::from(self.utility(s, player));
        match self.party().terms().aim {
            Aim::Win => whole / f64::from(super::rules::SHARES),
            Aim::Pairs => whole,
            Aim::Margin => whole / (K - 1) as f64,
        }
    }

    fn edits(&self, s: &Seated) -> Vec<Move> {
        edits(self, s)
    }
}

/// Changes by hand: a card of a rank known or not, pairs taken and given back by any player, and how many have just passed.
fn edits<const K: usize>(game: &Seats<K>, seated: &Seated) -> Vec<Move> {
    let (party, s) = (game.party(), game.position(seated));
    let (cards, scores) = (party.cards(), s.in_order());
    let mut changes = Vec::new();
    let mut change = |counts, scores: [i32; K], passes: usize, on: Vec<u16>, label: Text| {
        let Ok(scores) =
            <[u16; K]>::try_from(scores.iter().filter_map(|&n| u16::try_from(n).ok()).collect::<Vec<_>>())
        else {
            return;
        };
        let Ok(Some(id)) = party.legal(counts, scores, passes).map(|after| party.print(&after)) else {
            return;
        };
        let on: Vec<String> = on.into_iter().map(board::item).collect();
        let each = on.iter().map(|on| Each { on: on.clone(), id: id.clone() }).collect();
        changes.push(Move { on, each, ..Move::new(id, label) });
    };
    let (scores, passes) = (scores.map(i32::from), usize::from(s.passes));
    let with = |p: usize, by: i32| {
        let mut scores = scores;
        scores[p] += by;
        scores
    };
    // Scores are in order of play from whoever is to move.
    let name = |p: usize| game.name((s.mover + p as u8) % K as u8);
    let lying = |is: &dyn Fn(Card) -> bool| -> Vec<u16> {
        (0..).zip(&seated.layout.cards).filter(|(_, card)| is(**card)).map(|(place, _)| place).collect()
    };
    let ranks = game.table().patterns(&Seats::<K>::plain(seated));
    for (at, &Pattern { unknown, known }) in cards.patterns().iter().enumerate() {
        let alike = |rank: u8| ranks[usize::from(rank)] == Pattern { unknown, known };
        let Some(rank) = (0..ranks.len() as u8).find(|&r| alike(r)) else { continue };
        let label = game.table().label(rank);
        let known_on = lying(&|card| matches!(card, Card::Known(r) if alike(r)));
        let unknown_on = lying(&|card| card == Card::Unknown);
        let to = |unknown: u8, known: u8| {
            let mut counts = s.counts;
            counts[at] -= 1;
            counts[usize::from(cards.place(unknown, known))] += 1;
            counts
        };
        let said = |en: String, ja: String| {
            Text::of(
                format!("{label} ({unknown} unknown, {known} known): {en}"),
                format!("{label}（未知{unknown}、既知{known}）：{ja}"),
            )
        };
        if unknown > 0 {
            let label = said("one card more is known".into(), "1枚を既知にする".into());
            change(to(unknown - 1, known + 1), scores, passes, unknown_on.clone(), label);
        }
        if known > 0 {
            let label = said("one card less is known".into(), "1枚を未知にする".into());
            change(to(unknown + 1, known - 1), scores, passes, known_on.clone(), label);
        }
        for p in 0..K {
            let name = name(p);
            if unknown + known >= 2 {
                // Known cards go first.
                let left = (unknown - 2u8.saturating_sub(known), known.saturating_sub(2));
                let on = if known > 0 { known_on.clone() } else { unknown_on.clone() };
                let label = said(format!("a pair to {}", name.en), format!("1ペアを{}が取得", name.ja));
                change(to(left.0, left.1), with(p, 1), passes, on, label);
            }
            if usize::from(unknown + known) < cards.copies() {
                let gone = lying(&|card| matches!(card, Card::Gone { rank, .. } if alike(rank)));
                let label =
                    said(format!("a pair back from {}", name.en), format!("{}の1ペアを戻す", name.ja));
                change(to(unknown + 2, known), with(p, -1), passes, gone, label);
            }
        }
    }
    for p in 0..K {
        for (by, en, ja) in [(1, "more", "増やす"), (-1, "less", "減らす")] {
            let name = name(p);
            let label = Text::of(format!("A pair {en} for {}", name.en), format!("{}を1ペア{ja}", name.ja));
            change(s.counts, with(p, by), passes, Vec::new(), label);
        }
    }
    let more = text("One player more has just passed", "直前のパスを1つ増やす");
    change(s.counts, scores, passes + 1, Vec::new(), more);
    if passes > 0 {
        let fewer = text("One player fewer has just passed", "直前のパスを1つ減らす");
        change(s.counts, scores, passes - 1, Vec::new(), fewer);
    }
    changes
}
