//! The page's own words in both languages, and how texts of the server become what is shown and what is read aloud.

/** @import { Text, Kid } from "./types.js" */
import { el } from "./dom.js";

/** @typedef {"en" | "ja"} Lang */

/** Every word of the page: English, Japanese. */
const WORDS = {
  games: ["Games", "ゲーム"], results: ["Results", "検証結果"], studies: ["Studies", "計算"], keys: ["Keyboard", "キー操作"], language: ["Language", "言語"],
  skip: ["Skip to the content", "本文へ移動"],
  exact: ["exact", "厳密"], bound: ["bound", "上下界"], sampled: ["sampled", "標本推定"],
  match: ["match", "一致"], consistent: ["consistent", "矛盾なし"], not_tested: ["not tested", "判定不能"], erratum: ["erratum", "訂正"], open: ["open", "未解決"], differs: ["differs", "不一致"],
  best: ["best", "最善"], moves: ["Moves, best first", "候補手（最善順）"], legal: ["Legal moves", "合法手"], others: ["Other legal moves", "その他の合法手"],
  edits: ["Changes", "変更"], more: ["{n} more", "あと{n}手"],
  hidden: ["Values are hidden. H shows the best move, H again every value.", "評価は非表示です。Hキーで最善手、もう一度Hで全評価を表示します。"],
  unvalued: ["These moves have no values here; the note below says which positions have.", "この局面の手には評価がありません。どの局面に評価があるかは下の説明をご覧ください。"],
  show: ["Show", "表示"], none: ["None", "なし"], bestOnly: ["Best", "最善手"], all: ["All values", "全評価"],
  undo: ["Undo", "一手戻す"], redo: ["Redo", "一手進む"], fresh: ["New game", "新規対局"], undoBrief: ["Undo", "戻す"], redoBrief: ["Redo", "進む"], freshBrief: ["New", "新規"], seed: ["Seed", "シード"],
  copy: ["Copy", "コピー"], paste: ["Paste", "貼り付け"], share: ["Share", "共有"], shareLink: ["Link to this position", "この局面へのリンク"], shareLocal: ["It leads to the server on this machine; others can type this:", "このリンクはこの計算機のサーバ用です。ほかの人は次のコマンドで同じ局面を見られます："], shareShow: ["This position in a terminal", "端末でこの局面を見る"], shareDeal: ["The same game from its start", "同じ対局を最初から指す"], sharePicture: ["As a picture", "画像として"], send: ["Send…", "送る…"], copied: ["Copied", "コピーしました"],
  noClipboard: ["The clipboard is closed to this page; the text is selected.", "クリップボードを使えないため、文字列を選択しました。"],
  pasteHere: ["Paste the notation here, then press Enter.", "ここに記法を貼り付け、Enterを押してください。"],
  notation: ["Position in notation", "局面の記法"], midMove: ["In the middle of a move there is no notation.", "手の途中には記法がありません。"],
  variant: ["Variant", "ルール設定"], apply: ["Apply", "適用"], reset: ["Defaults", "既定値"],
  versus: ["Opponent", "相手"], against: ["against {name}", "相手：{name}"], statAgainst: ["Your games against {name}", "あなたの成績（相手：{name}）"],
  youPlay: ["You play", "担当"], bothSeats: ["Both", "両方"], everySeat: ["All", "全員"], you: ["you", "あなた"], machine: ["machine", "コンピュータ"], toMove: ["to move", "手番"],
  optimal: ["Optimal move", "最善手を指す"], seekEdit: ["Find one of {n} changes", "{n}個の変更から探す"], seekNone: ["No change is called that.", "該当する変更はありません。"], editDiscard: ["Discard changes", "変更を破棄"], editedFrom: ["This position comes from another game.", "別の対局から来た局面です。"], backToGame: ["Back to the game it came from", "元の対局に戻る"], edit: ["Edit", "局面編集"], editDone: ["Done", "編集終了"], editing: ["Editing: drag or click what is to change", "局面編集中：変えるものをドラッグするか選んでください"],
  editSheet: ["Every change leads to a legal position. Drag a card or a piece to where it should be, or click it; out of its place it is taken away.", "どの変更も正しい局面になります。カードや駒を置きたい所へドラッグするか、押して選んでください。外へ出すと取り除かれます。"],
  editScores: ["Scores", "得点"], editScoresNot: ["These scores cannot be. Needed: {what}.", "この得点にはなりません。必要なもの：{what}。"],
  editNot: ["A position can be edited between moves only.", "局面編集は手の途中ではできません。"],
  hint: ["Hint", "ヒント"], hintIs: ["Best: {move}", "最善：{move}"], hintNone: ["Nothing is known about this position.", "この局面については分かっていません。"], keyHint: ["a hint: the best move stands out for a moment", "ヒント：最善手を少しの間示す"],
  settings: ["Settings", "設定"], theme: ["Appearance", "外観"], themeSystem: ["System", "システム"], themeLight: ["Light", "ライト"], themeDark: ["Dark", "ダーク"], sound: ["Sound", "音"], on: ["On", "オン"], off: ["Off", "オフ"],
  statTitle: ["Your games", "あなたの成績"], statPlayed: ["played", "局"], statWon: ["won", "勝"], statHigh: ["best score", "最高得点"], statBest: ["best moves", "最善手率"], statErase: ["Erase", "消去"], statEraseAll: ["Erase all", "すべて消去"], statNote: ["Kept in this browser only.", "このブラウザにのみ保存されます。"],
  seenBefore: ["This card was seen before; no move begins with it now.", "このカードは既に見たものです。今はここから始まる手がありません。"],
  recordVeiled: ["What was turned up is not listed while you have to remember it. See-through (T) shows it.", "覚えて遊ぶ間は、めくられたものの一覧を出しません。透視（T）で表示します。"],
  seeThrough: ["See-through", "透視"], seeTip: ["Show known cards that lie face down", "裏向きの既知カードを見せる"],
  record: ["Moves of the game", "棋譜"], mistakes: ["Mistakes", "悪手"], mistakesNone: ["None: every move was best", "なし：すべて最善でした"], totalLost: ["{n} lost in all", "損失合計 {n}"],
  playedBest: ["{played}; best was {best}", "{played}（最善は{best}）"],
  over: ["The game is over", "対局終了"], finalScore: ["Score {n}", "得点 {n}"], review: ["Look at this position", "この局面を見る"], looking: ["Looking back: move {n} of {m}", "振り返り中：{m}手中{n}手目"],
  tryAgain: ["Try again from here", "ここからやり直す"], mistake: ["a mistake", "悪手"], startOf: ["Start", "開始"], moveOf: ["{n} of {m}", "{m}手中{n}手目"], toStart: ["To the start", "最初へ"], stepBack: ["One move back", "一つ前へ"], stepOn: ["One move on", "一つ次へ"], toEnd: ["To the end", "最後へ"],
  droppedMoves: ["Your new move replaced {n} others.", "新しい手により{n}手が消えました。"], bringBack: ["Bring them back", "元に戻す"], tallied: ["Your moves: {made}, best: {best}, mistakes: {wrong}", "自分の手：{made}、最善：{best}、悪手：{wrong}"], talliedAll: ["Moves: {made}, best: {best}, mistakes: {wrong}", "手数：{made}、最善：{best}、悪手：{wrong}"], courseOf: ["Value over the game", "値の推移"], courseFor: ["Value over the game for {name}", "{name}から見た値の推移"], playedHere: ["played", "実戦の手"], lastWas: ["Last move:", "直前の手："],
  solving: ["Solving…", "計算中…"], cancel: ["Cancel", "中止"], stopped: ["The computation was stopped.", "計算は中止されました。"], again: ["Compute again", "もう一度計算"],
  perSecond: ["{n} per second", "毎秒{n}"], elapsed: ["elapsed", "経過"], left: ["left", "残り"],
  token: ["This server asks for its token: open the page by the address it printed when it was started", "このサーバはトークンを求めています。起動時に表示されたアドレスからページを開いてください"],
  gone: ["Connection lost, retrying", "接続が切れました。再接続中"], busy: ["The server is busy; trying again in {n} s", "サーバが混み合っています。{n}秒後に再試行します"], retry: ["Retry now", "今すぐ再試行"],
  broken: ["This browser cannot run yomikiri: {why}", "このブラウザでは yomikiri を動かせません：{why}"],
  check: ["Proofs", "証明"], checkTitle: ["Check a proof.", "証明を検証する。"],
  checkLead: ["Drop a certificate or a proof. It is checked here, in your browser, by code that shares nothing with the solvers; the file is sent nowhere.", "証明書または証明のファイルを置いてください。ソルバとは独立した検証器が、このブラウザの中で検証します。ファイルはどこにも送信されません。"],
  checkLeadServed: ["Drop a certificate or a proof. It is checked on this machine, by code that shares nothing with the solvers.", "証明書または証明のファイルを置いてください。ソルバとは独立した検証器が、この計算機で検証します。"],
  checkChoose: ["Choose a file", "ファイルを選ぶ"], checkDrop: ["or drop it here: JSON Lines, plain or as .xz or .zst", "またはここにドロップ（JSON Lines、そのまま、または .xz・.zst）"],
  checkExample: ["or try it with an example", "例で試す"],
  checking: ["Checking…", "検証中…"], checkGood: ["Every line holds: it is proved.", "すべての行が正しく、証明は成り立ちます。"], checkBad: ["It proves nothing: see the reason.", "証明は成り立ちません。理由をご覧ください。"],
  checkElsewhere: ["This page asks nobody but its own host. Save the file from {host} and drop it here.", "このページは自分のホスト以外には接続しません。{host} からファイルを保存し、ここに置いてください。"],
  checkHow: ["On the command line", "コマンドラインでは"], checkMake: ["A proof of what a game is worth is written by", "ゲームの値の証明を書き出すには"], checkAgain: ["and checked, here or there, by", "検証するには（ここでも同じ検証ができます）"],
  commandInstead: ["On a larger machine, or with more time:", "メモリや時間に余裕のある計算機では："],
  shareImage: ["Share image", "画像で共有"], imageSaved: ["Image saved", "画像を保存しました"], imageFailed: ["This browser could not draw the image; it is saved as SVG.", "このブラウザでは画像にできないため、SVGで保存しました。"],
  leadAlone: ["Every move with its exact value. The figures of the papers, recomputed and set beside the originals. In your browser, offline, nothing to install.", "すべての手に厳密な評価を。論文の数値を計算し直し、原典と並べて示します。ブラウザの中だけで、オフラインでも動きます。インストール不要。"],
  checkLink: ["Check a proof", "証明を検証する"],
  failed: ["This did not work", "エラー"], close: ["Close", "閉じる"],
  hero: ["Games, read out to the end.", "ゲームを読み切る。"],
  lead: ["Every move with its exact value. The figures of the papers, recomputed and set beside the originals. On your own machine, offline.", "すべての手に厳密な評価を。論文の数値を計算し直し、原典と並べて示します。手元の計算機で、オフラインで。"],
  puzzle: ["Puzzle", "問題"], puzzles: ["Puzzles", "問題"], puzzlesAll: ["All puzzles", "すべての問題"], puzzleTip: ["Find the only best move", "ただ一つの最善手を探す"],
  puzzlesLead: ["Every day a puzzle of every game: one move keeps what the position is worth, every other gives something away. The solver has made them, and tells you afterwards what each move is worth.", "すべてのゲームに日替わりの問題があります。局面の値を保つ手は一つだけで、ほかの手はどれも損をします。問題はソルバーが作り、答えたあとに全ての手の値を示します。"],
  puzzleOfDay: ["Puzzle of the day: {game}", "今日の一題：{game}"], puzzleToday: ["today’s puzzle", "今日の問題"], puzzleNumber: ["puzzle {n}", "問題{n}"], puzzleDone: ["solved", "解答済み"],
  puzzleRight: ["Right!", "正解！"], puzzleWrong: ["Not the best", "最善ではありません"], puzzleWhy: ["{move}: {value}. Every other move is worth less.", "{move}：{value}。ほかの手はどれも値が下がります。"],
  puzzleBest: ["Best: {move} ({value}). Yours: {mine} ({got}).", "最善手：{move}（{value}）。あなたの手：{mine}（{got}）。"],
  puzzleNext: ["Another one", "次の問題"], puzzleOpen: ["Open on the board", "盤で調べる"], streak: ["Days in a row: {n}", "連続日数：{n}"],
  answers: ["Questions of the papers", "論文の問い"], toStudy: ["Run the study", "計算を実行"], toPart: ["See the result", "結果を見る"], allResults: ["All results", "すべての検証結果"], running: ["{n} running", "実行中 {n}件"], computing: ["computing…", "計算中…"],
  moreQuestions: ["{n} more", "ほか{n}件"],
  resultsLead: ["Each paper's tables and figures, computed here and set beside the printed ones.", "各論文の表と図をこの計算機で計算し、印刷された値と並べます。"],
  verify: ["Verify again", "もう一度検証"], verifying: ["Verifying…", "検証中…"], verifiedNow: ["computed again just now", "いま計算し直しました"], parts: ["{n} parts", "{n}項目"], partsDone: ["{n} of {m} parts", "{m}項目中{n}項目"],
  longTitle: ["The long version", "長時間版"], longStart: ["Start the long version", "長時間版を始める"], longPart: ["long version", "長時間版"],
  longLead: ["What stands above takes seconds. The long version computes the paper's own sizes and more: as many samples as the paper took, and its largest cases. It takes minutes, for some papers hours, and all cores of this machine. You may leave the page meanwhile; every part that is finished takes the place of the one above.", "上の結果は数秒で計算できる範囲のものです。長時間版では、論文と同じ標本数や最大の場合まで計算します。この計算機の全コアを使い、数分、論文によっては数時間かかります。ページを離れても計算は続き、終わった項目から順に上の結果と入れ替わります。"],
  longKept: ["It was stopped. What was finished stays above, and Resume goes on with the next part.", "中止しました。終わった項目は上に残り、再開すると次の項目から続けます。"], longDone: ["It is done: what stands above is the long version.", "完了しました。上の結果は長時間版のものです。"],
  notYet: ["not computed yet", "未計算"], repeat: ["The same on the command line", "同じ計算のコマンド"], errata: ["Errata", "訂正表"], erratumWhere: ["Where", "箇所"], published: ["published", "論文"], corrected: ["corrected", "訂正後"], why: ["what shows it", "根拠"],
  contents: ["Contents", "目次"], seconds: ["{n} s", "{n}秒"], csv: ["Download as CSV", "CSVをダウンロード"], playOn: ["Open on the board", "盤で開く"],
  studiesLead: ["Start a computation, watch its estimate settle, keep its rows.", "計算を始め、推定が定まる様子を見て、データを保存できます。"],
  start: ["Start", "開始"], jobs: ["Runs", "実行一覧"], noJobs: ["Nothing has been started yet. From the command line: {command}", "まだ何も実行していません。コマンドラインでは：{command}"],
  resume: ["Resume", "再開"], pause: ["Pause", "一時停止"], statePaused: ["paused", "一時停止中"], itemsDone: ["items done", "処理した件数"], forget: ["Remove from the list", "一覧から削除"], live: ["Live estimates", "途中の推定値"], liveNote: ["Sampled; each with its 95 % interval.", "標本推定。95 %信頼区間つき。"], estimate: ["estimate", "推定値"], interval: ["95 % interval", "95 %信頼区間"], what: ["quantity", "対象"],
  log: ["Log", "記録"], rows: ["Rows", "データ行"], download: ["Download rows as CSV", "データ行をCSVで保存"], rate: ["rate", "速度"], of: ["of {n}", "／{n}"],
  stateWaiting: ["waiting", "待機中"], stateRunning: ["running", "実行中"], stateDone: ["finished", "完了"], stateFailed: ["failed", "失敗"], stateCancelled: ["cancelled", "中止済み"],
  kept: ["What was finished is kept; Resume goes on from there.", "終わった分は保存済みです。再開すると続きから計算します。"], allStudies: ["All studies", "計算の一覧"],
  notFound: ["There is no such page", "ページが見つかりません"], noGame: ["There is no game called {game}", "{game} というゲームはありません"], noJob: ["This run is not kept any more", "この計算はもう保存されていません"], home: ["To the games", "ゲーム一覧へ"],
  choose: ["Choose a move", "手を選ぶ"],
  keyPlay: ["play the n-th move", "n番目の手を指す"], keyArrows: ["step through the game; inside the board: go to the next square or card", "棋譜を一手ずつたどる（盤の中では隣のマスやカードへ）"], keyEnds: ["to the start, to the end of the game", "棋譜の最初・最後へ"], keyUndo: ["take your move back, and forth again", "自分の手を戻す・進める"], keyEnter: ["play, or take up; with values shown and nothing chosen: play the best move", "指す・選ぶ（評価の表示中に何も選んでいなければ最善手を指す）"],
  keyHints: ["show: nothing, best move, all values", "表示：なし・最善手・全評価"], keyNew: ["new game", "新規対局"], keyVariant: ["variant", "ルール設定"], keyOptimal: ["let the optimal player move", "最善プレイヤに指させる"], keyEdit: ["edit the position", "局面編集"], keySee: ["see-through on or off", "透視の切り替え"],
  keyBoard: ["go to the board", "盤へ移動"], keyMoves: ["go to the list of moves", "候補手へ移動"],
  keyCopy: ["copy the position", "局面をコピー"], keyShare: ["share: link, command, picture", "共有：リンク・コマンド・画像"], keyImage: ["share an image", "画像で共有"], keyLang: ["English / 日本語", "English / 日本語"], keyHelp: ["this list", "この一覧"], keyEsc: ["close, or drop a choice", "閉じる・選択の取り消し"],
  play: ["Play", "対局"], playTip: ["You against the machine, without hints", "コンピュータと対局（ヒントなし）"], analyse: ["Analyse", "解析"], analyseTip: ["This position, with the value of every move", "この局面のすべての手の値を見る"],
  variants: ["Variants", "ルールの種類"], asAlways: ["As always", "既定のルール"], advanced: ["Advanced", "詳細設定"], costs: ["What is too large for this machine can still be played, without values.", "メモリに収まらない設定でも、値なしで遊べます。"], is: ["{name}: {value}", "{name}：{value}"], and: ["; ", "、"],
  rules: ["Rules", "ルール"], ruleGoal: ["Goal", "目的"], ruleMoves: ["Moves", "手"], ruleEnd: ["End", "終わり"], ruleValues: ["How to read the values", "値の読み方"],
  ruleStart: ["The start", "初期局面"], ruleExample: ["An example", "局面の例"], ruleAgain: ["Open by themselves for games that are new to me", "初めてのゲームでは自動で開く"], keyRules: ["rules", "ルール"],
  tourBegin: ["Try it in three steps", "3ステップで試す"], tourHint: ["one minute, on the real board", "実際の盤で約1分"], tourStep: ["step {n} of 3", "3ステップ中の{n}"], tourNext: ["Next", "次へ"], tourDone: ["Done", "完了"], tourLeave: ["Leave", "やめる"],
  tourAlone: ["You play alone.", "一人で遊びます。"], tourAll: ["You play every side.", "全員の手をあなたが指します。"], tourYou: ["You are {name}.", "あなたは{name}です。"], tourTurn: ["{name} is to move.", "{name}の番です。"], tourYourTurn: ["It is your turn.", "あなたの番です。"],
  tourMove: ["Make a move: choose something with a dashed line around it, or a move from the list. Whatever you choose can be taken back.", "手を指してみましょう。点線で囲まれたものを選ぶか、手の一覧から選びます。どの手も後で戻せます。"],
  stop: [". ", "。"], tourPlayed: ["You played:", "指した手："], tourWorth: ["It is worth", "その値は"], tourWasBest: ["No move is better.", "最善です。"], tourBestWas: ["Better:", "より良い手は"], tourNoValue: ["There is no value for it here.", "ここでは値がありません。"],
  tourBack: ["Now take the move back and show all values: the moves are listed from the best to the worst.", "一手戻して全評価を表示しましょう。手が良い順に並びます。"], tourReveal: ["Show all values", "全評価を表示"],
  tourHere: ["The best here:", "ここでの最善手："], tourEnd: ["That is all: G opens the rules, ? lists the keys.", "以上です。Gでルール、?でキー操作を表示します。"],
  board: ["Board", "盤"], analysis: ["Analysis", "解析"], tools: ["Tools", "操作"], legend: ["Legend", "凡例"], emptySquare: ["empty", "空き"], exit: ["exit", "脱出口"],
  unknownCard: ["unknown card", "未知のカード"], emptyPlace: ["empty place", "空き"], knownCard: ["{card}, known", "{card}（既知）"],
  tinted: ["{colour} {form}", "{colour}の{form}"], written: ["{look}, {said}", "{look}（{said}）"], heap: ["{label}: {n}", "{label}：{n}"],
  "tint-black": ["black", "黒"], "tint-white": ["white", "白"], "tint-grey": ["grey", "灰色"], "tint-blue": ["blue", "青"], "tint-red": ["red", "赤"], "tint-purple": ["purple", "紫"], "tint-green": ["green", "緑"], "tint-yellow": ["yellow", "黄"],
  "form-disc": ["disc", "丸駒"], "form-tile": ["tile", "角駒"], "form-ring": ["ring", "輪"], "form-cross": ["cross", "十字"], "form-bar": ["line", "横線"], "form-post": ["upright line", "縦線"], "form-ghost": ["ghost", "ゴースト"], "form-card": ["card", "札"],
  spades: ["{rank} of spades", "スペードの{rank}"], hearts: ["{rank} of hearts", "ハートの{rank}"], diamonds: ["{rank} of diamonds", "ダイヤの{rank}"], clubs: ["{rank} of clubs", "クラブの{rank}"],
  plus: ["plus ", "プラス"], minus: ["minus ", "マイナス"], lastMove: ["last move", "直前の手"], isBest: ["best", "最善"],
};

/** @typedef {keyof typeof WORDS} Word */

/** @type {Lang} */
let lang = "en";

/** The language of the page. */
export const language = () => lang;

/**
 * Sets the language of the page.
 * @param {Lang} to
 */
export function speak(to) {
  lang = to;
  document.documentElement.lang = to;
}

/**
 * A word of the page; `{name}` in it is filled in.
 * @param {Word} key
 * @param {Record<string, string | number>} [fills]
 */
export function word(key, fills = {}) {
  const text = WORDS[key][lang === "ja" ? 1 : 0];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in fills ? String(fills[name]) : whole));
}

/** Every word in both languages, for tests. */
export const words = () => WORDS;

/**
 * A text of the server in the language of the page, with cards still in braces.
 * @param {Text | null | undefined} text
 * @param {Lang} [want]
 */
export function raw(text, want = lang) {
  if (text === null || text === undefined) return "";
  return typeof text === "object" ? text[want] ?? text.en ?? "" : String(text);
}

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const CARD = /\{([SHDC]?)([^{}]*)\}/g;

/** @param {string} rank */
export const rankName = (rank) => (rank === "0" || rank === "T" ? "10" : rank);

/**
 * A text of the server as it is shown: `{S7}` is a card in its colour.
 * @param {Text | null | undefined} text
 * @returns {Kid[]}
 */
export function rich(text) {
  const whole = raw(text);
  /** @type {Kid[]} */
  const out = [];
  let at = 0;
  for (const found of whole.matchAll(CARD)) {
    out.push(whole.slice(at, found.index));
    const [all, suit, rank] = found;
    // The selector after the sign keeps it from being drawn as a picture.
    out.push(suit ? el("span", { class: `pc s${suit}` }, rankName(rank) + SUITS[/** @type {keyof typeof SUITS} */ (suit)] + "\ufe0e") : rank);
    at = found.index + all.length;
  }
  out.push(whole.slice(at));
  return out;
}

/**
 * A text of the server without marks, for titles and files.
 * @param {Text | null | undefined} text
 */
export const plain = (text) => raw(text).replace(CARD, (_, suit, rank) => rankName(rank) + (SUITS[/** @type {keyof typeof SUITS} */ (suit)] ?? ""));

/**
 * A face of a card in words.
 * @param {string} face
 */
export function faceName(face) {
  const suits = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
  const suit = suits[/** @type {keyof typeof suits} */ (face[0])];
  return suit && face.length > 1 ? word(/** @type {Word} */ (suit), { rank: rankName(face.slice(1)) }) : face;
}

/**
 * A text as it is read aloud: signs in words.
 * @param {Text | null | undefined} text
 */
export function spoken(text) {
  const cards = raw(text).replace(CARD, (_, suit, rank) => ` ${faceName(suit + rank)} `);
  return cards.replace(/\+(?=[\d.])/g, word("plus")).replace(/[−-](?=[\d.])/g, word("minus")).replace(/\s+/g, " ").trim();
}

/**
 * A number in few letters: 1.4 M.
 * @param {number} x
 */
export function short(x) {
  if (!Number.isFinite(x)) return "–";
  const units = /** @type {[number, string][]} */ ([[1e9, " G"], [1e6, " M"], [1e3, " k"]]);
  for (const [size, unit] of units) if (Math.abs(x) >= size) return trim(x / size) + unit;
  return trim(x);
}
/** @param {number} x */
const trim = (x) => (Math.abs(x) >= 100 ? x.toFixed(0) : Math.abs(x) >= 10 ? x.toFixed(1) : x.toFixed(Number.isInteger(x) ? 0 : 2)).replace("-", "−");

/**
 * A whole number with its thousands apart.
 * @param {number} x
 */
export const grouped = (x) => Math.round(x).toString().replace(/\B(?=(\d{3})+$)/g, ",").replace("-", "−");

/**
 * A time: 4.2 s, 3:05, 1:02:09.
 * @param {number} seconds
 */
export function clock(seconds) {
  if (!Number.isFinite(seconds) || seconds < 0) return "–";
  if (seconds < 60) return word("seconds", { n: seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0) });
  const all = Math.round(seconds);
  const parts = all >= 3600 ? [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60] : [Math.floor(all / 60), all % 60];
  return parts.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
}
