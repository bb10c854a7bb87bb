//! Tanaka and Takaoka's paper on Mini-Geister.

use yomikiri_core::Run;
use yomikiri_papers::Effort;
use yomikiri_papers::geister::PAPER;

#[test]
fn paper_interval_is_shown_beside_ours() {
    let all = (PAPER.reproduction)(Effort::Quick);
    let at = all.parts().iter().position(|part| part.id == "interval").unwrap();
    let piece = all.run(at, &Run { threads: 2, ..Run::default() }).unwrap();
    assert!(piece.good() && piece.blocks.len() == 2);
    let rows = piece.json["interval"].as_array().unwrap();
    for row in rows {
        assert_eq!([&row["paper"][0], &row["paper"][1]].map(|x| &x["fraction"]), ["1/3", "1/2"]);
    }
    assert_eq!(rows[1]["kind"], "exact");
}
