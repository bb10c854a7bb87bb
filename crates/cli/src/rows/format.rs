//! The files rows end in: CSV for everyone, Parquet for columns that keep their types.

use crate::fail::refuse;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use yomikiri_core::rows::{Cell, CellType, Column, Row};
use yomikiri_core::{Refusal, text};

/// Rows in a group of a Parquet file: what is held in memory until it is written.
const GROUP: usize = 1 << 16;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a line of heads.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// What the end of a file's name asks for.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Format::Csv),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }

    /// The same, refused if it is none.
    pub fn asked(path: &Path) -> Result<Format, Refusal> {
        let accepts = text(
            "a file whose name ends in .csv or .parquet",
            "名前が .csv または .parquet で終わるファイル",
        );
        Format::of(path).ok_or_else(|| refuse("--out", &path.to_string_lossy(), accepts))
    }

    /// Writes all rows, which come in blocks; `what` says what they are of, where the format has a place
    /// for it.
    pub fn write(
        self,
        columns: &[Column],
        what: &str,
        blocks: &mut dyn FnMut() -> io::Result<Option<Vec<Row>>>,
        out: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        match self {
            Format::Csv => csv(columns, blocks, out),
            Format::Parquet => parquet(columns, what, blocks, out),
        }
    }
}

fn csv(
    columns: &[Column],
    blocks: &mut dyn FnMut() -> io::Result<Option<Vec<Row>>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    // What the system said is inside.
    let cause = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(system) => system,
        other => io::Error::other(format!("{other:?}")),
    };
    writer.write_record(columns.iter().map(|c| c.name)).map_err(cause)?;
    while let Some(rows) = blocks()? {
        for row in rows {
            writer.write_record(row.into_iter().map(Cell::plain)).map_err(cause)?;
        }
    }
    writer.flush()
}

fn parquet(
    columns: &[Column],
    what: &str,
    blocks: &mut dyn FnMut() -> io::Result<Option<Vec<Row>>>,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let fields = columns.iter().map(|column| {
        let (physical, logical) = match column.kind {
            CellType::Int => (Physical::INT64, None),
            CellType::Float => (Physical::DOUBLE, None),
            CellType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(column.name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(logical)
            .build()?;
        Ok(Arc::new(field))
    });
    let fields = fields.collect::<Result<Vec<_>, _>>().map_err(cause)?;
    let schema = Type::group_type_builder("rows").with_fields(fields).build().map_err(cause)?;
    let about = KeyValue { key: "yomikiri".into(), value: Some(what.to_owned()) };
    let properties = WriterProperties::builder()
        .set_created_by(concat!("yomikiri version ", env!("CARGO_PKG_VERSION")).into())
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(vec![about]))
        .build();
    let mut writer = SerializedFileWriter::new(out, schema.into(), properties.into()).map_err(cause)?;
    let mut group: Vec<Row> = Vec::new();
    loop {
        let rows = blocks()?;
        let last = rows.is_none();
        group.extend(rows.into_iter().flatten());
        while group.len() >= GROUP || (last && !group.is_empty()) {
            let later = group.split_off(group.len().min(GROUP));
            flush(columns, &group, &mut writer).map_err(cause)?;
            group = later;
        }
        if last {
            writer.close().map_err(cause)?;
            return Ok(());
        }
    }
}

/// Writes some rows column by column.
fn flush<W: Write + Send>(
    columns: &[Column],
    rows: &[Row],
    writer: &mut SerializedFileWriter<W>,
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for (at, column) in columns.iter().enumerate() {
        let Some(mut values) = group.next_column()? else { break };
        let cells = rows.iter().map(|row| &row[at]);
        match column.kind {
            CellType::Int => {
                let numbers: Vec<i64> = cells.map(Cell::int).collect();
                values.typed::<Int64Type>().write_batch(&numbers, None, None)?;
            }
            CellType::Float => {
                let numbers: Vec<f64> = cells.map(Cell::float).collect();
                values.typed::<DoubleType>().write_batch(&numbers, None, None)?;
            }
            CellType::Text => {
                let words: Vec<ByteArray> = cells.map(|cell| cell.text().into()).collect();
                values.typed::<ByteArrayType>().write_batch(&words, None, None)?;
            }
        }
        values.close()?;
    }
    group.close()?;
    Ok(())
}

/// What the system said, where it was the system.
fn cause(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(system) => *system,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use yomikiri_core::text;

    static COLUMNS: [Column; 3] = [
        Column { name: "n", kind: CellType::Int, help: text("", "") },
        Column { name: "x", kind: CellType::Float, help: text("", "") },
        Column { name: "word", kind: CellType::Text, help: text("", "") },
    ];

    fn row(i: i64) -> Row {
        vec![Cell::Int(i - 3), Cell::Float(i as f64 / 3.0), Cell::Text(format!("{},\"四", i % 7))]
    }

    /// So many rows in blocks of different sizes, as a file.
    fn written(format: Format, rows: i64) -> Vec<u8> {
        let (mut next, mut size, mut out) = (0, 0, Vec::new());
        let mut blocks = || {
            size = (size * 7 + 1) % 5000;
            let end = rows.min(next + size);
            let block: Vec<Row> = (next..end).map(row).collect();
            next = end;
            Ok((!block.is_empty()).then_some(block))
        };
        format.write(&COLUMNS, "what it is", &mut blocks, &mut out).unwrap();
        out
    }

    #[test]
    fn law_csv_is_what_every_reader_reads() {
        assert_eq!(
            String::from_utf8(written(Format::Csv, 2)).unwrap(),
            "n,x,word\n-3,0.0,\"0,\"\"四\"\n-2,0.3333333333333333,\"1,\"\"四\"\n"
        );
        assert_eq!(written(Format::Csv, 0), b"n,x,word\n");
    }

    #[test]
    fn law_parquet_gives_the_rows_back_with_their_types() {
        for rows in [0, 1, 150_000] {
            let bytes = written(Format::Parquet, rows);
            assert_eq!(bytes, written(Format::Parquet, rows), "same rows, same bytes");
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes).unwrap();
            let reader = SerializedFileReader::new(file).unwrap();
            let meta = reader.metadata().file_metadata();
            assert_eq!(meta.num_rows(), rows);
            assert_eq!(meta.key_value_metadata().unwrap()[0].value.as_deref(), Some("what it is"));
            for (i, found) in reader.get_row_iter(None).unwrap().enumerate() {
                let found: Vec<Field> = found.unwrap().into_columns().into_iter().map(|c| c.1).collect();
                let expected = row(i as i64);
                assert_eq!(found[0], Field::Long(expected[0].int()));
                assert_eq!(found[1], Field::Double(expected[1].float()));
                assert_eq!(found[2], Field::Str(expected[2].text().to_owned()));
            }
        }
    }

    #[test]
    fn law_a_disk_that_fills_up_is_reported_as_such() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(buf.len()).ok_or(io::ErrorKind::StorageFull)?;
                Ok(buf.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for format in [Format::Csv, Format::Parquet] {
            for room in [0, 3, 1000, 10_000] {
                let mut left = 100;
                let mut blocks = || {
                    left -= 1;
                    Ok((left > 0).then(|| (0..1000).map(row).collect()))
                };
                let failed = format.write(&COLUMNS, "", &mut blocks, &mut Full(room)).unwrap_err();
                assert_eq!(failed.kind(), io::ErrorKind::StorageFull, "{format:?} {room}: {failed}");
            }
        }
    }

    #[test]
    fn law_the_name_of_a_file_says_its_format() {
        for (name, format) in [
            ("a.csv", Some(Format::Csv)),
            ("b/c.PARQUET", Some(Format::Parquet)),
            ("csv", None),
            (".csv", None),
            ("a.csv.gz", None),
            ("a.", None),
        ] {
            assert_eq!(Format::of(Path::new(name)), format, "{name}");
        }
    }
}
