//! The questions that papers leave open: how far each is answered, what is known, and where that is seen or computed again.

/** @import { Game, Question } from "./types.js" */
import { el } from "./dom.js";
import { address } from "./route.js";
import { rich, word } from "./words.js";

/** How far a question is answered. @param {Question} question */
export const standing = (question) => el("span", { class: `standing ${question.standing.id}` }, rich(question.standing.text));

/** What is known, with a link to the part of the results or the study that shows it. @param {Game} game @param {Question} question */
export const known = (game, question) => el("p", {}, rich(question.known), " ", question.part
  ? el("a", { href: address("/results", { game: game.id, part: question.part }) }, word("toPart"))
  : el("a", { href: address("/studies", { game: game.id, study: question.study ?? "" }) }, word("toStudy")));
