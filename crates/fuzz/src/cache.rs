//! Files of the cache that are not what was written.

use crate::Target;
use crate::input::Input;
use std::fs;
use std::io::Read;
use yomikiri::store::Files;
use yomikiri_core::Store;

/// The target.
pub const TARGET: Target = Target {
    name: "cache",
    about: "files of the cache: handed out only if whole and as written, removed if damaged; names that lead elsewhere keep nothing",
    run,
    seeds,
};

fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let how = input.byte();
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("cache");
    let files = Files::new(root.clone(), 1 << 20);
    let load = |name: &str| {
        files.load(name).map(|mut reader| {
            let mut content = Vec::new();
            reader.read_to_end(&mut content).expect("the disk");
            content
        })
    };
    if how & 1 == 1 {
        // Any name: what is kept is given back and stands in the folder of the cache.
        let name = String::from_utf8_lossy(input.piece()).into_owned();
        let saved = files.save(&name, &mut |to| to.write_all(input.0));
        assert_eq!(load(&name), saved.is_ok().then(|| input.0.to_vec()), "{name:?}");
        let others: Vec<_> = fs::read_dir(folder.path()).expect("a folder").flatten().collect();
        assert!(others.iter().all(|entry| entry.file_name() == "cache"), "{name:?}");
        assert_eq!(files.list().len(), usize::from(saved.is_ok()), "{name:?}");
        files.remove(&name);
        assert_eq!(load(&name), None);
        return;
    }
    let path = files.place("game/table").expect("a place");
    let content = input.0;
    let mut file = Vec::new();
    if how & 2 == 2 {
        file.extend(b"yomikiri");
        file.extend((content.len() as u64).to_le_bytes());
        file.extend(blake3::hash(content).as_bytes());
    }
    file.extend(content);
    let right = how & 2 == 2 && how & 12 == 0;
    if how & 4 == 4 && !file.is_empty() {
        let at = usize::from(how >> 4) * 3 % file.len();
        file[at] ^= 1 << (how >> 5);
    }
    if how & 8 == 8 {
        file.truncate(file.len().saturating_sub(1 + usize::from(how >> 4)));
    }
    fs::write(&path, &file).expect("a file");
    let listed = files.list().len();
    let loaded = load("game/table");
    if right {
        assert_eq!(loaded.as_deref(), Some(content));
    }
    match loaded {
        None => assert!(!path.exists(), "damaged, and still there"),
        Some(loaded) => {
            // Whoever wrote it: it is whole.
            assert_eq!(listed, 1);
            let head = [
                b"yomikiri".as_slice(),
                &(loaded.len() as u64).to_le_bytes(),
                blake3::hash(&loaded).as_bytes(),
            ]
            .concat();
            assert_eq!(file, [head, loaded].concat());
        }
    }
    files.clear();
    assert!(files.list().is_empty());
}

fn seeds() -> Vec<Vec<u8>> {
    vec![
        b"\x02content".to_vec(),
        b"\x00yomikiri".to_vec(),
        b"\x06content".to_vec(),
        b"\x3acontent".to_vec(),
        b"\x01memory/win=4,ranks-2.f64\0content".to_vec(),
        b"\x01../x\0content".to_vec(),
        b"\x01a//b\0".to_vec(),
        b"\x01.hidden\0".to_vec(),
    ]
}
