//! How rules break the contract of a game, in words; each is told with the state that shows it.

use yomikiri_core::{Error, Text, text};

/// A player who is to move must be able to.
pub const NO_ACTION: Text =
    text("a player is to move and has no action", "手番のプレイヤーに選べる手がありません");
/// Chance must be able to act.
pub const NO_OUTCOME: Text =
    text("chance is to act and has no outcome", "偶然の手番なのに起こりうる結果がありません");
/// What cannot happen is not an outcome.
pub const OUTCOME_OF_WEIGHT_0: Text =
    text("an outcome of chance has the weight 0", "偶然の結果の一つの重みが 0 です");

/// A player with a number that nobody has.
pub fn no_such_player(s: &impl std::fmt::Debug, player: u8, players: usize) -> Error {
    Error::rules(
        s,
        Text::of(
            format!("player {player} is to move, and there are {players} players, numbered from 0"),
            format!("手番がプレイヤー {player} ですが、プレイヤーは {players} 人です（0 から数えます）"),
        ),
    )
}

/// Two players' results that do not add up to 0.
pub fn not_zero_sum(s: &impl std::fmt::Debug, row: &[i32]) -> Error {
    Error::rules(
        s,
        Text::of(
            format!("the utilities of two players are {row:?} and do not add up to 0"),
            format!("2 人の利得が {row:?} で、足して 0 になりません"),
        ),
    )
}

/// Two states in which a player knows the same, with different actions.
pub const OTHER_ACTIONS: Text = text(
    "a player has other actions here than in another state in which it knows the same",
    "同じ情報しか持たない別の状態と、選べる手が異なります",
);
/// Two states in which a player knows the same, after different actions of its own.
pub const FORGETS: Text = text(
    "a player forgets what it did: another state in which it knows the same follows another action of its own",
    "プレイヤーが自分の行動を忘れています。同じ情報の別の状態に、自分の別の行動から到達します",
);
