//! Why a file proves nothing: each reason says what is wrong and what is required, in English and Japanese.

use crate::board::{self, Square};
use std::fmt;
use std::io;

/// The most digits a number may have: linear programs over lattices like these give a few dozen.
pub const DIGITS: usize = 200;

/// Why there is no result.
#[derive(Debug)]
pub enum Error {
    /// This is not a certificate at all, or it cannot be read.
    Unreadable(Unreadable),
    /// A certificate that is wrong.
    Rejected(Rejection),
    /// It would take more memory than allowed.
    Memory {
        /// The bytes allowed.
        limit: u64,
    },
    /// Whoever watches wished to stop.
    Stopped,
}

/// Why there is nothing to check.
#[derive(Debug)]
pub enum Unreadable {
    /// Reading or decompressing failed.
    Read(io::Error),
    /// The first line is not the header of a certificate; this is how it begins.
    Header(String),
    /// The text is longer than any certificate we take.
    Long {
        /// The most bytes of text that are read.
        limit: u64,
    },
}

/// A place in the file and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The line, counted from 1.
    pub line: u64,
    /// The entry, counted from 0, if the line is one.
    pub entry: Option<u64>,
    /// What is wrong.
    pub reason: Reason,
}

/// A step named in a reason: from where, to where (nowhere: it leaves).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The square it starts from.
    pub from: Square,
    /// The square it goes to.
    pub to: Option<Square>,
}

/// What is wrong. Fractions are given as text, in lowest terms; pieces and components count from 0, uses from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A line is longer than allowed.
    LongLine {
        /// The most bytes a line may have.
        limit: usize,
    },
    /// The text of a line is not of the form required.
    Syntax {
        /// The byte of the line, counted from 1.
        column: usize,
        /// What had to come there.
        wanted: Wanted,
    },
    /// The header promises another number of entries.
    Count {
        /// The number of the header.
        promised: String,
        /// The number found; if there are more than promised, the reading ends at the first too many.
        found: u64,
    },
    /// There is no entry 0.
    Empty,
    /// A denominator of the header is not above 0.
    Denominator {
        /// Its name.
        name: &'static str,
    },
    /// `turn` is not 0 or 1.
    Turn,
    /// Squares that are not two or three (P1) or two (P2) of 0..15, ascending.
    Squares {
        /// `a` or `b`.
        list: char,
    },
    /// Two pieces stand on one square.
    Overlap {
        /// The square.
        square: Square,
    },
    /// A belief that is no distribution.
    Belief,
    /// A vector with another number of components than there are types.
    Length {
        /// The number required.
        types: usize,
    },
    /// A component outside [−1, 1].
    Component {
        /// Which.
        component: usize,
    },
    /// A weight that is not above 0.
    Weight {
        /// Which use.
        item: usize,
    },
    /// `from`, `to` or `child` is outside what these fields may say.
    Field {
        /// Which use.
        item: usize,
        /// The name of the field.
        name: &'static str,
    },
    /// A child with a posterior, or none with none.
    Posterior {
        /// Which use.
        item: usize,
    },
    /// The posterior of a use is no distribution (upper) or no piece (lower) here.
    PosteriorRange {
        /// Which use.
        item: usize,
    },
    /// A piece leaves, or is taken from a play that goes on, that may be red after all.
    PosteriorRed {
        /// Which use.
        item: usize,
        /// The piece that must be blue.
        piece: usize,
    },
    /// A use that matches no move that is to be answered or chosen here.
    NoMove {
        /// Which use.
        item: usize,
    },
    /// A use with a child, or any at all, where the game has ended.
    Ended {
        /// Which use.
        item: usize,
    },
    /// A use without a child where the game goes on.
    GoesOn {
        /// Which use.
        item: usize,
    },
    /// A child that is not in the file.
    NoChild {
        /// Which use.
        item: usize,
    },
    /// A child that is another position than the one after the move.
    Elsewhere {
        /// Which use.
        item: usize,
        /// The entry.
        child: u64,
    },
    /// A move of the other side that no use answers.
    Unanswered {
        /// The move.
        step: Step,
    },
    /// Weights that do not add up to 1.
    Weights {
        /// The move they answer; none for a lottery over one's own moves.
        step: Option<Step>,
        /// What they add up to.
        sum: String,
    },
    /// Beliefs that do not average to the belief they should.
    Average {
        /// The move they answer; none for a lottery over one's own moves.
        step: Option<Step>,
        /// The piece whose probability of being red differs.
        piece: usize,
        /// The average.
        got: String,
        /// What it has to be.
        wanted: String,
    },
    /// A component that claims more than the uses give.
    Vector {
        /// The move; none for a lottery over one's own moves.
        step: Option<Step>,
        /// Which component.
        component: usize,
        /// What the entry claims.
        claimed: String,
        /// What the move or the lottery gives: an upper claim has to be at least this, a lower one at most.
        gives: String,
    },
    /// Numbers of too many digits for one lottery.
    Digits {
        /// The most bits a common denominator may have.
        limit: u64,
    },
    /// Entries below 0 (upper) or above 0 (lower) use each other in a circle: endless play would prove anything.
    Cycle {
        /// How many entries the circle has.
        length: u64,
    },
}

/// What had to come in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// This character.
    Char(char),
    /// A comma or a closing bracket.
    CommaOrEnd,
    /// A whole number: no fraction, no exponent, no leading zero, no word.
    Whole,
    /// A whole number of fewer digits.
    Shorter,
    /// Fewer numbers in the list.
    Fewer,
    /// The end of the line.
    End,
}

impl Wanted {
    fn en(self) -> String {
        match self {
            Wanted::Char(c) => format!("'{c}'"),
            Wanted::CommaOrEnd => "',' or ']'".into(),
            Wanted::Whole => "a whole number".into(),
            Wanted::Shorter => format!("a whole number of at most {} digits", DIGITS),
            Wanted::Fewer => "the end of the list".into(),
            Wanted::End => "the end of the line".into(),
        }
    }

    fn ja(self) -> String {
        match self {
            Wanted::Char(c) => format!("「{c}」"),
            Wanted::CommaOrEnd => "「,」か「]」".into(),
            Wanted::Whole => "整数".into(),
            Wanted::Shorter => format!("{} 桁以下の整数", DIGITS),
            Wanted::Fewer => "リストの終わり".into(),
            Wanted::End => "行末".into(),
        }
    }
}

impl Step {
    fn en(step: Option<Step>) -> String {
        step.map_or_else(|| "the lottery".into(), |step| format!("move {step}"))
    }

    fn ja(step: Option<Step>) -> String {
        step.map_or_else(|| "抽選".into(), |step| format!("手 {step}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", board::name(self.from), self.to.map_or_else(|| "off".into(), board::name))
    }
}

impl Reason {
    /// A word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::LongLine { .. } => "long-line",
            Reason::Syntax { .. } => "syntax",
            Reason::Count { .. } => "count",
            Reason::Empty => "empty",
            Reason::Denominator { .. } => "denominator",
            Reason::Turn => "turn",
            Reason::Squares { .. } => "squares",
            Reason::Overlap { .. } => "overlap",
            Reason::Belief => "belief",
            Reason::Length { .. } => "length",
            Reason::Component { .. } => "component",
            Reason::Weight { .. } => "weight",
            Reason::Field { .. } => "field",
            Reason::Posterior { .. } => "posterior",
            Reason::PosteriorRange { .. } => "posterior-range",
            Reason::PosteriorRed { .. } => "posterior-red",
            Reason::NoMove { .. } => "no-move",
            Reason::Ended { .. } => "ended",
            Reason::GoesOn { .. } => "goes-on",
            Reason::NoChild { .. } => "no-child",
            Reason::Elsewhere { .. } => "elsewhere",
            Reason::Unanswered { .. } => "unanswered",
            Reason::Weights { .. } => "weights",
            Reason::Average { .. } => "average",
            Reason::Vector { .. } => "vector",
            Reason::Digits { .. } => "digits",
            Reason::Cycle { .. } => "cycle",
        }
    }

    /// The sentence in English.
    pub fn en(&self) -> String {
        match self {
            Reason::LongLine { limit } => format!("the line is too long; at most {limit} bytes are read"),
            Reason::Syntax { column, wanted } => format!("byte {column}: expected {}", wanted.en()),
            Reason::Count { promised, found } => {
                format!("the header promises {promised} entries, but {found} were found; the two must be equal")
            }
            Reason::Empty => "there is no entry; entry 0 says what the file proves".into(),
            Reason::Denominator { name } => format!("\"{name}\" must be above 0"),
            Reason::Turn => "the turn must be 0 (three pieces) or 1 (two pieces)".into(),
            Reason::Squares { list: 'a' } => "a must be two or three squares of 0..15, ascending".into(),
            Reason::Squares { list } => format!("{list} must be two squares of 0..15, ascending"),
            Reason::Overlap { square } => {
                format!("two pieces stand on {}; every square holds at most one", board::name(*square))
            }
            Reason::Belief => "the belief is no distribution: q must be in 0..qden, or p whole weights from 0, not all 0, one for each piece".into(),
            Reason::Length { types } => format!("the vector must have {types} components, one for each type"),
            Reason::Component { component } => format!("component {component} must be within [-1, 1]"),
            Reason::Weight { item } => format!("use {item}: numerator and denominator of a weight must be above 0"),
            Reason::Field { item, name } => {
                format!("use {item}: \"{name}\" is out of range; squares are 0..15, special values as the format has them")
            }
            Reason::Posterior { item } => {
                format!("use {item}: a use has five fields with a child and six, the last one the posterior, with child -1")
            }
            Reason::PosteriorRange { item } => {
                format!("use {item}: the posterior must be in 0..qden (upper) or the number of a piece (lower)")
            }
            Reason::PosteriorRed { item, piece } => {
                format!("use {item}: piece {piece} must be blue for certain under the posterior")
            }
            Reason::NoMove { item } => format!("use {item} matches no move; only moves there are can be used"),
            Reason::Ended { item } => format!("use {item}: the game has ended there; no child is to be named"),
            Reason::GoesOn { item } => format!("use {item}: the game goes on there; a child is required"),
            Reason::NoChild { item } => format!("use {item}: the child must be an entry of the file"),
            Reason::Elsewhere { item, child } => format!(
                "use {item}: entry {child} is another position; it must be the one after the move, perhaps mirrored"
            ),
            Reason::Unanswered { step } => format!("move {step} is not answered; every such move must be"),
            Reason::Weights { step, sum } => {
                format!("{}: the weights add up to {sum}; they must add up to 1", Step::en(*step))
            }
            Reason::Average { step, piece, got, wanted } => format!(
                "{}: the beliefs average to {got} for piece {piece}; it must be {wanted}",
                Step::en(*step)
            ),
            Reason::Vector { step, component, claimed, gives } => format!(
                "{}: component {component} claims {claimed}, but only {gives} is proved",
                Step::en(*step)
            ),
            Reason::Digits { limit } => format!(
                "the common denominator of a lottery has too many digits; at most {limit} bits are computed with"
            ),
            Reason::Cycle { length } => format!(
                "this entry is on a circle of {length} entries that use each other, each below 0 (upper) or above 0 (lower) somewhere; there must be none, for endless play is worth 0"
            ),
        }
    }

    /// The sentence in Japanese.
    pub fn ja(&self) -> String {
        match self {
            Reason::LongLine { limit } => format!("行が長すぎます。読むのは {limit} バイトまでです"),
            Reason::Syntax { column, wanted } => format!("{column} バイト目：{}が必要です", wanted.ja()),
            Reason::Count { promised, found } => {
                format!("ヘッダーの項目数は {promised} ですが、実際は {found} です。両者は等しくなければなりません")
            }
            Reason::Empty => "項目がありません。何を証明するかは項目 0 が示します".into(),
            Reason::Denominator { name } => format!("\"{name}\" は 0 より大きくなければなりません"),
            Reason::Turn => "手番は 0（3駒側）か 1（2駒側）でなければなりません".into(),
            Reason::Squares { list: 'a' } => "a は 0～15 のマスを昇順に 2 個か 3 個並べたものでなければなりません".into(),
            Reason::Squares { list } => format!("{list} は 0～15 のマスを昇順に 2 個並べたものでなければなりません"),
            Reason::Overlap { square } => {
                format!("{} に駒が 2 つあります。1 マスには 1 駒までです", board::name(*square))
            }
            Reason::Belief => "信念が確率分布ではありません。q は 0～qden、p は駒ごとの 0 以上の整数の重みで、全部 0 ではいけません".into(),
            Reason::Length { types } => format!("ベクトルの成分はタイプごとに 1 つ、計 {types} 個でなければなりません"),
            Reason::Component { component } => format!("成分 {component} は -1 以上 1 以下でなければなりません"),
            Reason::Weight { item } => format!("使用 {item}：重みの分子と分母は 0 より大きくなければなりません"),
            Reason::Field { item, name } => {
                format!("使用 {item}：\"{name}\" が範囲外です。マスは 0～15、それ以外は形式の定める特別な値だけです")
            }
            Reason::Posterior { item } => {
                format!("使用 {item}：子があれば 5 欄、子が -1 なら事後の信念を最後に加えて 6 欄が必要です")
            }
            Reason::PosteriorRange { item } => {
                format!("使用 {item}：事後の信念は 0～qden（上界）か駒の番号（下界）でなければなりません")
            }
            Reason::PosteriorRed { item, piece } => {
                format!("使用 {item}：事後の信念では駒 {piece} が確実に青でなければなりません")
            }
            Reason::NoMove { item } => format!("使用 {item} に当たる手がありません。実際にある手だけが使えます"),
            Reason::Ended { item } => format!("使用 {item}：そこで対局は終わっています。子は書けません"),
            Reason::GoesOn { item } => format!("使用 {item}：そこで対局は続きます。子が必要です"),
            Reason::NoChild { item } => format!("使用 {item}：子はファイルの中の項目でなければなりません"),
            Reason::Elsewhere { item, child } => format!(
                "使用 {item}：項目 {child} は別の局面です。その手の後の局面（左右反転は可）でなければなりません"
            ),
            Reason::Unanswered { step } => format!("手 {step} への応答がありません。このような手にはすべて応答が必要です"),
            Reason::Weights { step, sum } => {
                format!("{}：重みの合計が {sum} です。1 でなければなりません", Step::ja(*step))
            }
            Reason::Average { step, piece, got, wanted } => format!(
                "{}：駒 {piece} についての信念の平均が {got} です。{wanted} でなければなりません",
                Step::ja(*step)
            ),
            Reason::Vector { step, component, claimed, gives } => format!(
                "{}：成分 {component} は {claimed} と主張していますが、示されるのは {gives} までです",
                Step::ja(*step)
            ),
            Reason::Digits { limit } => {
                format!("抽選の共通分母の桁が多すぎます。計算するのは {limit} ビットまでです")
            }
            Reason::Cycle { length } => format!(
                "この項目は、負の成分（上界）または正の成分（下界）をもつ {length} 個の項目の循環の上にあります。終わらない対局の値は 0 なので、循環があってはいけません"
            ),
        }
    }
}

impl Rejection {
    /// The place and the reason in English.
    pub fn en(&self) -> String {
        match self.entry {
            Some(entry) => format!("line {} (entry {entry}): {}", self.line, self.reason.en()),
            None => format!("line {}: {}", self.line, self.reason.en()),
        }
    }

    /// The place and the reason in Japanese.
    pub fn ja(&self) -> String {
        match self.entry {
            Some(entry) => format!("{} 行目（項目 {entry}）：{}", self.line, self.reason.ja()),
            None => format!("{} 行目：{}", self.line, self.reason.ja()),
        }
    }
}

impl Unreadable {
    /// The sentence in English.
    pub fn en(&self) -> String {
        match self {
            Unreadable::Read(e) => format!("cannot be read: {e}"),
            Unreadable::Header(got) => format!(
                "not a certificate: the first line begins {got:?}; it must be {{\"qden\":…,\"bden\":…,\"entries\":…}} or {{\"aden\":…,\"entries\":…}}, plain or compressed with xz or zstd"
            ),
            Unreadable::Long { limit } => format!("the text is too long; at most {limit} bytes are read"),
        }
    }

    /// The sentence in Japanese.
    pub fn ja(&self) -> String {
        match self {
            Unreadable::Read(e) => format!("読めません：{e}"),
            Unreadable::Header(got) => format!(
                "証明書ではありません。先頭行が {got:?} で始まっています。{{\"qden\":…,\"bden\":…,\"entries\":…}} か {{\"aden\":…,\"entries\":…}} が必要です（無圧縮、xz、zstd）"
            ),
            Unreadable::Long { limit } => format!("長すぎます。読むのは {limit} バイトまでです"),
        }
    }
}

impl Error {
    /// The sentence in English.
    pub fn en(&self) -> String {
        match self {
            Error::Unreadable(why) => why.en(),
            Error::Rejected(why) => why.en(),
            Error::Memory { limit } => format!("this needs more than the {limit} bytes of memory allowed"),
            Error::Stopped => "interrupted".into(),
        }
    }

    /// The sentence in Japanese.
    pub fn ja(&self) -> String {
        match self {
            Error::Unreadable(why) => why.ja(),
            Error::Rejected(why) => why.ja(),
            Error::Memory { limit } => format!("メモリの上限 {limit} バイトでは足りません"),
            Error::Stopped => "中断しました".into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en())
    }
}

impl std::error::Error for Error {}
