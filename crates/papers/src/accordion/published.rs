//! What the paper prints: its tables, and the rows of its figures.

use crate::golden::Golden;
use yomikiri_core::cards::{Card, RANKS};

/// The published figures.
pub(super) static GOLDEN: [Golden; 4] = [
    Golden { id: "examples", data: include_str!("golden/examples.toml") },
    Golden { id: "table1", data: include_str!("golden/table1.toml") },
    Golden { id: "table2", data: include_str!("golden/table2.toml") },
    Golden { id: "table3", data: include_str!("golden/table3.toml") },
];

/// The deal of figure 1.
pub const FIGURE_1: &str = "S7 S4 S0 D3 S3 C9 S9 SA CQ H3 SJ DA C3 H7 CK C4 C0 D7 H4 H5 H9 S6 D9 DJ D6 H2 \
    CJ S8 H0 C7 HQ C2 SQ C8 D2 DQ D4 C6 HJ D0 S2 H8 DK HK SK H6 S5 D8 HA CA D5 C5";
/// The row of figure 2 as it is printed: no deck has these cards.
pub(super) const FIGURE_2: &str = "SA D3 H2 C4 S5 D7 H6 C8 S9 DJ H0 CQ SK DA H3 C2 S4 D5 H3 C6 S8 D9 HJ C0 SQ DK \
    HA C3 S2 D4 H5 C3 S6 D8 H9 CJ S0 DQ HK CA S3 D2 H4 C5 S3 D6 H8 C9 SJ D0 HQ CK";

/// The row that figure 2 describes: suits S D H C and ranks A 3 2 4 5 7 6 8 9 J 0 Q K, each repeated.
pub fn figure_2_corrected() -> Vec<Card> {
    let suit = |i: usize| [0, 2, 1, 3][i % 4];
    let rank = |i: usize| {
        let letter = b"A32457689J0QK"[i % 13] as char;
        RANKS.iter().position(|&r| r == letter)
    };
    (0..52).filter_map(|i| Card::new(suit(i), rank(i)? as u8)).collect()
}
