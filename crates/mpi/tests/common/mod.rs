//! What ranks are compared with.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use yomikiri_core::Run;
use yomikiri_games::geister::on_disk::OnDisk;
use yomikiri_games::params::Settings;
use yomikiri_games::tables::Tables;
use yomikiri_tables::{Builder, Wishes};

/// The files of a folder.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|e| (e.file_name().into_string().unwrap(), fs::read(e.path()).unwrap())).collect()
}

/// What `table build` writes.
pub fn built(at: &Path, given: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
    let run = Run { threads: 2, ..Run::default() };
    let settings = Settings::new(OnDisk.params(), given.iter().copied()).unwrap();
    let plan = OnDisk.plan(&settings, &run).unwrap();
    let mut builder = Builder::begin(at, "geister", &settings, &plan, Wishes::default(), &run).unwrap();
    OnDisk.build(&settings, &plan, &mut builder, &run).unwrap();
    builder.finish().unwrap();
    files(at)
}
