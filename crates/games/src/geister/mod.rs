//! Mini-Geister (ミニガイスター): hidden colours on a small board, by retrograde analysis.

pub mod analysis;
pub mod answer;
pub mod belief;
pub mod board;
pub mod drawing;
pub mod kind;
pub mod notation;
pub mod on_disk;
pub mod real;
pub mod response;
pub mod scene;
pub mod space;
pub mod start;
pub mod strategy;
pub mod summary;
pub mod table_play;
pub mod tables;

use crate::about::{About, Evaluator, Headline};
use crate::entry::Entry;
use crate::params::{Kind as Takes, Param, Settings};
use crate::play::Play;
use analysis::Kind;
use answer::{PIECES, Requests};
use board::SIDES;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_view::report::Outcome;
use yomikiri_view::scene::{Scene, Viewer};

/// The registered game.
pub static GEISTER: GeisterEntry = GeisterEntry;

/// Mini-Geister as the faces see it.
pub struct GeisterEntry;

static ABOUT: About = About {
    id: "geister",
    name: text("Mini-Geister", "ミニガイスター"),
    summary: text(
        "hidden colours on a small board: strategies that guarantee a payoff, by retrograde analysis",
        "色の見えない駒の対戦：平均利得を保証する戦略を後退解析で求める",
    ),
    notation: text(
        "analysis, turn (1 or 2) and board joined by _: ranks from the top joined by /, player 1 in capitals, B blue, R red, P hidden; with bbr-belief also the beliefs, e.g. _1:1:1_1:1",
        "解析名・手番（1 か 2）・盤面を _ で区切る。盤面は上の段から / 区切り、大文字がプレイヤー1、Bは青、Rは赤、Pは紫。bbr-belief では信念も（例 _1:1:1_1:1）",
    ),
    example: "2v2-basic_1_.pp./..../..../.PP.",
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
    Param { name, kind: Takes::Int { min: SIDES.0 as i64, max: SIDES.1 as i64 }, default: "4", help }
}

const fn pieces(name: &'static str, help: Text) -> Param {
    Param { name, kind: Takes::Int { min: PIECES.0, max: PIECES.1 }, default: "2", help }
}

const WIDTH: Param = side("width", text("files of the board", "盤の横のマス数"));
const HEIGHT: Param = side("height", text("ranks of the board", "盤の縦のマス数"));
const A: Param = pieces("a", text("pieces of player 1, with 2v2-basic", "プレイヤー1の駒数（2v2-basic）"));
const B: Param = pieces("b", text("pieces of player 2, with 2v2-basic", "プレイヤー2の駒数（2v2-basic）"));
const MIRROR: Param = Param {
    name: "mirror",
    kind: Takes::Choice(&[
        ("off", text("mirror images have a place each", "左右対称形を別々に持つ")),
        ("on", text("mirror images share a place: half the memory", "左右対称形をまとめる（メモリ半分）")),
    ]),
    default: "off",
    help: text("left-right symmetry", "左右対称の利用"),
};

static PARAMS: [Param; 8] = [
    Param {
        name: "analysis",
        kind: Takes::Choice(&ANALYSES),
        default: kind::SUITE,
        help: text("what is asked", "解析の種類"),
    },
    WIDTH,
    HEIGHT,
    A,
    B,
    MIRROR,
    table_play::OPPONENT,
    belief::ask::GRID,
];

impl Entry for GeisterEntry {
    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        if belief::ask::asked(settings, None)? {
            return belief::summary::solve(settings, run);
        }
        summary::solve(settings, run)
    }
    fn show(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
        if belief::ask::asked(settings, position)? {
            return belief::summary::show(settings, position, run);
        }
        summary::show(settings, position, run)
    }
    fn scene(
        &self,
        settings: &Settings,
        position: Option<&str>,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Scene, Error> {
        if belief::ask::asked(settings, position)? {
            return belief::scene::asked(settings, position, run);
        }
        scene::asked(settings, position, viewer, run)
    }
    fn edits(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
        if belief::ask::asked(settings, position)? {
            return belief::scene::edits(settings, position, run);
        }
        scene::edits(settings, position, run)
    }
    fn headline(&self, run: &Run<'_>) -> Result<Headline, Error> {
        scene::headline(run)
    }
    fn evaluator(&self, _exact: bool) -> Box<dyn Evaluator> {
        Box::new(Requests::default())
    }
    fn play(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Box<dyn Play>, Error> {
        if belief::ask::asked(settings, position)? {
            return belief::table::asked(settings, position, run);
        }
        table_play::asked(settings, position, run)
    }
    fn tables(&self) -> Result<&'static dyn crate::tables::Tables, Text> {
        Ok(&on_disk::OnDisk)
    }
}
