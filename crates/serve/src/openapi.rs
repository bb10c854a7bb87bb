//! The description of the API, made from the table of routes.

use crate::Server;
use crate::ask::Ask;
use crate::fault::Fault;
use crate::reply::{Reply, json};
use std::sync::Arc;

/// `GET /api/openapi.json`
pub async fn describe(_: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    ask.only(&[])?;
    Ok(json(200, &serde_json::json!({"openapi": "3.1.0"})))
}
