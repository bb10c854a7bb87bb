//! The laws every paper must obey, and the registry itself.

use proptest::prelude::*;
use proptest::sample::Index;
use yomikiri_games::params::{Param, Settings};
use yomikiri_papers::paper::Subject;
use yomikiri_papers::{Effort, PAPERS};
use yomikiri_shelf::GAMES;

/// The parameters of all studies and certifiers.
fn parameters() -> Vec<&'static [Param]> {
    let studies = PAPERS.0.iter().flat_map(|paper| paper.studies).map(|study| study.params);
    let certifiers = PAPERS.0.iter().filter_map(|paper| paper.certifier).map(|certifier| certifier.params);
    studies.chain(certifiers).filter(|params| !params.is_empty()).collect()
}

#[test]
fn contract_papers_are_declared_whole() {
    for paper in PAPERS.0 {
        let id = paper.about().id;
        let mut texts = vec![&paper.citation];
        texts.extend(paper.questions.iter().flat_map(|question| [&question.asked, &question.known]));
        texts.extend(paper.studies.iter().map(|study| &study.summary));
        texts.extend(paper.certifier.map(|certifier| &certifier.summary));
        for text in texts {
            assert!(!text.en.is_empty() && !text.ja.is_empty(), "{id}: {text:?}");
        }
        let parts = (paper.reproduction)(Effort::Quick).parts();
        assert!(!parts.is_empty(), "{id}");
        let mut ids: Vec<&str> = parts.iter().map(|part| part.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), parts.len(), "{id}: two parts have one name");
    }
    for params in parameters() {
        Settings::new(params, []).expect("defaults are accepted");
    }
}

#[test]
fn contract_golden_files_are_well_formed() {
    for paper in PAPERS.0 {
        assert!(!paper.golden.is_empty());
        for golden in paper.golden {
            let published = golden.read();
            assert!(!published.cells.is_empty(), "{}", golden.id);
            let mut names: Vec<&str> = published.cells.iter().map(|c| c.cell.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), published.cells.len(), "{}: a cell stands twice", golden.id);
            assert!(published.cells.iter().all(|c| c.precision > 0.0), "{}", golden.id);
        }
    }
}

#[test]
fn contract_a_registered_game_has_at_most_one_paper() {
    let mut ids: Vec<&str> = PAPERS.0.iter().map(|paper| paper.about().id).collect();
    for paper in PAPERS.0 {
        let registered = GAMES.iter().any(|game| game.about().id == paper.about().id);
        assert_eq!(registered, matches!(paper.subject, Subject::Game(_)), "{}", paper.about().id);
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), PAPERS.0.len());
    assert!(PAPERS.of("no such game").is_none() && PAPERS.studies("no such game").is_empty());
}

proptest! {
    #[test]
    fn law_any_setting_of_a_study_is_taken_or_refused(
        which in any::<Index>(),
        param in any::<Index>(),
        given in prop_oneof![any::<String>(), any::<i64>().prop_map(|n| n.to_string()), "[0-9,x/ -]{0,12}"],
    ) {
        let lists = parameters();
        let params = lists[which.index(lists.len())];
        let param = &params[param.index(params.len())];
        match Settings::new(params, [(param.name, given.as_str())]) {
            Ok(settings) => assert!(settings.given(param.name)),
            Err(refusal) => {
                assert_eq!(&refusal.field, param.name);
                assert!(!refusal.accepts.en.is_empty() && !refusal.accepts.ja.is_empty());
            }
        }
    }
}
