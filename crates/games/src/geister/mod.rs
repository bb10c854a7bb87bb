//! Mini-Geister (ミニガイスター): hidden colours on a small board, by retrograde analysis.

/// What all families of Mini-Geister say alike: who it is, and the parameters.
macro_rules! of_mini_geister {
    () => {
        fn about(&self) -> &'static crate::about::About {
            &crate::geister::ABOUT
        }
        fn params(&self) -> &'static [crate::params::Param] {
            &crate::geister::PARAMS
        }
    };
}

pub mod analysis;
pub mod answer;
mod asked;
pub mod belief;
mod blind;
pub mod board;
pub mod drawing;
pub mod kind;
mod laid_open;
pub mod notation;
pub mod on_disk;
mod perfect;
mod question;
pub mod real;
pub mod response;
pub mod scene;
pub mod space;
pub mod start;
pub mod strategy;
pub mod summary;
mod table;
pub mod tables;

use crate::about::{About, Claim, Evaluator, Primer};
use crate::analyse::Analyse;
use crate::approach::Approach;
use crate::entry::Entry;
use crate::erased::Erased;
use crate::family::{Family, Given, Sample, Variant};
use crate::params::{Domain, Param, Settings};
use analysis::{Kind, distance, value};
use answer::{PIECES, Requests};
use blind::{Blind, OPPONENT};
use board::SIDES;
use question::{Question, Standing, Verdicts};
use table::Against;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_view::report::{Certainty, Outcome};

/// The registered game.
pub static GEISTER: Erased<Analyses> = Erased(&Analyses);

/// What is played unless something else is asked for.
static TABLE: Erased<Against<Blind>> = Erased(&Against::new());

/// The analyses, each a game of its own.
pub struct Analyses;

static ABOUT: About = About {
    id: "geister",
    name: text("Mini-Geister", "ミニガイスター"),
    summary: text(
        "hidden colours on a small board: strategies that guarantee a payoff, by retrograde analysis",
        "色の見えない駒の対戦：平均利得を保証する戦略を後退解析で求める",
    ),
    rules: Primer {
        goal: text(
            "Leave the board with a blue ghost, or take all blue ghosts of the other. Or make the other take all your red ones.",
            "青の駒を出口から出すか、相手の青を全部取る。または自分の赤を全部取らせる。",
        ),
        play: text(
            "Each player has blue and red ghosts; only their owner knows the colours. A move is one step up, down, left or right. Stepping onto an enemy piece takes it and shows its colour. A blue piece on an exit at the far side may leave.",
            "双方が青と赤の駒を持ち、色は持ち主だけが知る。1手で上下左右に1マス進む。相手の駒に重なれば取って色が分かる。向こう側の出口にいる青は、そこから出られる。",
        ),
        end: text(
            "Taking the last blue piece or leaving with a blue piece wins; taking the last red piece loses. Endless play is a draw.",
            "相手の青を全部取るか、青が出れば勝ち。相手の赤を全部取ると負け。終わらなければ引き分け。",
        ),
        values: text(
            "A win pays +1, a draw 0, a loss −1. Against the strategy a move's value is your average payoff. In an analysis +1 means that player 1 secures the payoff that is asked for, −1 that player 2 prevents it, 0 neither; beside it stands in how many moves.",
            "勝ち +1、引き分け 0、負け −1。戦略との対局では、手の値は自分の平均利得。解析では、+1 はプレイヤー1が目標の利得を確保する、−1 はプレイヤー2が阻止する、0 はどちらでもない。手数を添える。",
        ),
    },
    notation: text(
        "analysis, turn (1 or 2) and board joined by _: ranks from the top joined by /, player 1 in capitals, B blue, R red, P hidden; with bbr-belief also the beliefs, e.g. _1:1:1_1:1",
        "解析名・手番（1 か 2）・盤面を _ で区切る。盤面は上の段から / 区切り、大文字がプレイヤー1、Bは青、Rは赤、Pは紫。bbr-belief では信念も（例 _1:1:1_1:1）",
    ),
    example: "2v2-basic_1_.p../...p/..P./.P..",
    eval: text(
        "analysis, turn (1, 2), board (.pp./..../..../.PP.); with 2v2-basic also a and b (pieces of each side)",
        "analysis、turn（1、2）、board（.pp./..../..../.PP.）。2v2-basic では a、b（各側の駒数）も可",
    ),
    question: r#"{"analysis":"2v2-basic","turn":1,"board":".pp./..../..../.PP."}"#,
    players: 2,
};

/// The analyses as words of a parameter.
static ANALYSES: [(&str, Text); 13] = [
    (kind::SUITE, text("all of them", "全て")),
    (Kind::Basic.id(), Kind::Basic.question()),
    (Kind::Extended.id(), Kind::Extended.question()),
    (Kind::Open.id(), Kind::Open.question()),
    (Kind::OpenWin.id(), Kind::OpenWin.question()),
    (Kind::OpenDraw.id(), Kind::OpenDraw.question()),
    (Kind::RrbThree.id(), Kind::RrbThree.question()),
    (Kind::RrbTwo.id(), Kind::RrbTwo.question()),
    (Kind::BbrThreeThird.id(), Kind::BbrThreeThird.question()),
    (Kind::BbrTwoHalf.id(), Kind::BbrTwoHalf.question()),
    (Kind::BbrTwoThird.id(), Kind::BbrTwoThird.question()),
    (Kind::BbrTwoGuess.id(), Kind::BbrTwoGuess.question()),
    (belief::ask::ID, belief::ask::QUESTION),
];

const fn side(name: &'static str, help: Text) -> Param {
    Param { name, domain: Domain::Int { min: SIDES.0 as i64, max: SIDES.1 as i64 }, default: "4", help }
}

const fn pieces(name: &'static str, help: Text) -> Param {
    Param { name, domain: Domain::Int { min: PIECES.0, max: PIECES.1 }, default: "2", help }
}

const WIDTH: Param = side("width", text("files of the board", "盤の横のマス数"));
const HEIGHT: Param = side("height", text("ranks of the board", "盤の縦のマス数"));
const A: Param = pieces(
    "a",
    text("pieces of player 1, where no colour is known", "プレイヤー1の駒数（色が全く分からない解析）"),
);
const B: Param = pieces(
    "b",
    text("pieces of player 2, where no colour is known", "プレイヤー2の駒数（色が全く分からない解析）"),
);
const MIRROR: Param = Param {
    name: "mirror",
    domain: Domain::Choice(&[
        ("off", text("mirror images have a place each", "左右対称形を別々に持つ")),
        ("on", text("mirror images share a place: half the memory", "左右対称形をまとめる（メモリ半分）")),
    ]),
    default: "off",
    help: text("left-right symmetry", "左右対称の利用"),
};

static PARAMS: [Param; 8] = [
    Param {
        name: "analysis",
        domain: Domain::Choice(&ANALYSES),
        default: kind::SUITE,
        help: text("what is asked", "解析の種類"),
    },
    WIDTH,
    HEIGHT,
    A,
    B,
    MIRROR,
    OPPONENT,
    belief::ask::GRID,
];

impl Family for Analyses {
    type Game = Question;

    of_mini_geister!();
    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<(Question, Standing), Error> {
        Question::asked(settings, position, run)
    }
    /// Three against two with all colours hidden has solvers of its own.
    fn instead(
        &self,
        settings: &Settings,
        position: Option<&str>,
    ) -> Result<Option<&'static dyn Entry>, Refusal> {
        Ok(belief::ask::asked(settings, position)?.then_some(&belief::BOUNDS as &dyn Entry))
    }
    /// An analysis is the game as its owner sees it; at the table there are true colours. Where nobody is played
    /// against, both sides of the analysis are moved by hand.
    fn table(&self, settings: &Settings) -> Option<&'static dyn Entry> {
        (settings.word(OPPONENT.name) != blind::NOBODY).then_some(&TABLE as &dyn Entry)
    }
    fn approach(&self) -> Option<&'static dyn Approach<Question>> {
        None
    }
    fn solver(
        &self,
        _: &Settings,
        game: &Question,
        s: &Standing,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Question>>, Error> {
        Ok(Box::new(Verdicts(game.solved(s, run)?)))
    }
    fn variant(&self, _: &Settings, game: &Question) -> Text {
        game.variant()
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        summary::solve(settings, run)
    }
    /// The paper's first result: how soon player 1 reaches its target from the start.
    fn headline(&self, run: &Run<'_>) -> Result<Claim, Error> {
        let settings =
            Settings::new(&PARAMS, [("analysis", Kind::Basic.id()), (OPPONENT.name, blind::NOBODY)])?;
        let (game, s) = self.position(&settings, None, run)?;
        let verdict = game.solved(&s, run)?.verdict(&s.at);
        let target = notation::fraction(Kind::Basic.target());
        let big = match distance(verdict) {
            Some(d) => Text::of(format!("{d} moves"), format!("{d}手")),
            None => text("endless", "千日手"),
        };
        let words = match value(verdict) {
            1 => Text::of(
                format!(
                    "from the start until player 1 has secured an average payoff of {target}, without knowing a colour."
                ),
                format!("で、プレイヤー1は色を知らずに平均利得{target}を確保する（初期配置から）。"),
            ),
            _ => Text::of(
                format!("from the start: player 1 does not secure an average payoff of {target}."),
                format!("プレイヤー1は初期配置から平均利得{target}を確保できない。"),
            ),
        };
        Ok(Claim { big, text: words, cert: Certainty::Exact, settings, position: None })
    }
    fn requests(&self, _: bool) -> Option<Box<dyn Evaluator>> {
        Some(Box::new(Requests::default()))
    }
    fn tables(&self) -> Result<&'static dyn crate::tables::Tables, Text> {
        Ok(&on_disk::OnDisk)
    }
    /// With open colours: what is guaranteed with hidden ones is the same after most moves.
    fn puzzles(&self) -> Option<Given> {
        Some(&[("opponent", "perfect")])
    }

    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant {
                name: text("Ghosts, colours hidden", "色は非公開"),
                settings: &[("analysis", "2v2-basic")],
            },
            Variant {
                name: text("Ghosts, colours open", "色は公開"), settings: &[("opponent", "perfect")]
            },
            Variant {
                name: text("Three ghosts against your two", "3個対2個"),
                settings: &[("analysis", "bbr-three-third")],
            },
            Variant {
                name: text("The analysis by hand", "解析を手で動かす"),
                settings: &[("analysis", "2v2-basic"), ("opponent", "nobody")],
            },
        ];
        ALL
    }
    fn advanced(&self) -> &'static [&'static str] {
        &["mirror", "grid"]
    }
    fn samples(&self) -> &'static [Sample] {
        const NARROW: (&str, &str) = ("width", "3");
        const BELIEF: [(&str, &str); 3] = [("analysis", "bbr-belief"), NARROW, ("height", "3")];
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("opponent", "perfect"), NARROW], position: None },
            Sample { settings: &[], position: Some("2v2-extended_1_..../.pP./.Pp./....") },
            Sample {
                settings: &[("analysis", "2v2-extended")],
                position: Some("2v2-extended_2_.br./..../..../.PP."),
            },
            Sample { settings: &[("analysis", "rrb-three"), NARROW], position: None },
            Sample { settings: &[("mirror", "on")], position: Some("rrb-two_2_p.p/p../.../P.P") },
            Sample { settings: &[], position: Some("bbr-two-guess_1_p.p/b../.../P.P") },
            Sample { settings: &[("analysis", "open"), NARROW], position: None },
            Sample { settings: &[("opponent", blind::NOBODY), NARROW], position: None },
            Sample { settings: &BELIEF, position: None },
            Sample { settings: &BELIEF, position: Some("bbr-belief_2_p.p/..P/P.P") },
        ]
    }
}
