//! The rules of the pictures: classes over the page's colours, light and dark.

/// The rules for scenes, over the variables of [`crate::svg::TOKENS`]; every class begins with `y-` so that a page's own
/// rules do not meet them.
pub const RULES: &str = "\
.y-scene{--text-S:var(--ink);--text-H:var(--H);--text-D:var(--D);--text-C:var(--C)}\
@media screen and (prefers-color-scheme:dark){.y-scene{--text-H:#ff8a8f;--text-D:#8cbbff;--text-C:#76d39c}}\
.y-scene{max-width:100%;height:auto;font-family:-apple-system,'Segoe UI',Roboto,'Noto Sans','Hiragino Sans','Hiragino Kaku Gothic ProN','Yu Gothic UI','Yu Gothic',Meiryo,'Noto Sans CJK JP','Noto Sans JP',sans-serif;font-variant-numeric:tabular-nums lining-nums}\
.y-scene text{fill:var(--mat-ink);font-size:12px}\
.y-scene .y-s14{font-size:14px}.y-scene .y-s13{font-size:13px}.y-scene .y-s11{font-size:11px}.y-scene .y-s17{font-size:17px}.y-scene .y-s30{font-size:30px;letter-spacing:-.02em}\
.y-scene .y-b{font-weight:600}.y-scene .y-mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Noto Sans Mono','DejaVu Sans Mono',monospace;font-size:11px}\
.y-scene .y-ink{fill:var(--ink)}.y-scene .y-ink2{fill:var(--ink-2)}.y-scene .y-ink3{fill:var(--ink-3)}\
.y-mat{fill:var(--mat)}.y-sheet{fill:var(--sheet)}.y-frame{fill:none;stroke:var(--edge)}\
.y-board{fill:var(--mat-2);stroke:var(--mat-ink);stroke-width:1.5}.y-lines{fill:none;stroke:var(--mat-line)}\
.y-exit{fill:none;stroke:var(--mat-ink);stroke-width:2.2;opacity:.6}\
.y-face{fill:var(--card);stroke:var(--card-edge)}.y-down{fill:var(--back)}.y-down2{fill:none;stroke:var(--back-2);stroke-width:1.4}\
.y-known{fill:var(--veil);stroke:var(--veil-edge);stroke-width:1.5;stroke-dasharray:3.2 2.4}.y-known2{fill:none;stroke:var(--veil-edge);stroke-width:1.4;opacity:.1}\
.y-gone{fill:none;stroke:var(--mat-line);stroke-width:1.5;stroke-dasharray:.1 3.4;stroke-linecap:round}\
.y-S{fill:var(--S)}.y-H{fill:var(--H)}.y-D{fill:var(--D)}.y-C{fill:var(--C)}.y-N{fill:var(--N)}\
.y-scene text.y-rank{font-weight:650;letter-spacing:-.04em}\
.y-scene text.y-S,.y-scene text.y-N{fill:var(--S)}.y-scene text.y-H{fill:var(--H)}.y-scene text.y-D{fill:var(--D)}.y-scene text.y-C{fill:var(--C)}\
.y-scene .y-tS{fill:var(--text-S);font-weight:600}.y-scene .y-tH{fill:var(--text-H);font-weight:600}.y-scene .y-tD{fill:var(--text-D);font-weight:600}.y-scene .y-tC{fill:var(--text-C);font-weight:600}\
.y-k-none{--f:none;--i:var(--mat-ink);--e:var(--mat-ink);--b:var(--mat)}.y-k-black{--f:var(--t-black);--i:var(--t-light);--e:var(--t-edge);--b:var(--f)}.y-k-white{--f:var(--t-white);--i:var(--t-dark);--e:var(--t-edge);--b:var(--f)}\
.y-k-grey{--f:var(--t-grey);--i:var(--t-light);--e:var(--t-edge);--b:var(--f)}.y-k-blue{--f:var(--t-blue);--i:var(--t-light);--e:var(--t-edge);--b:var(--f)}.y-k-red{--f:var(--t-red);--i:var(--t-light);--e:var(--t-edge);--b:var(--f)}\
.y-k-purple{--f:var(--t-purple);--i:var(--t-light);--e:var(--t-edge);--b:var(--f)}.y-k-green{--f:var(--t-green);--i:var(--t-light);--e:var(--t-edge);--b:var(--f)}.y-k-yellow{--f:var(--t-yellow);--i:var(--t-dark);--e:var(--t-edge);--b:var(--f)}\
.y-body{fill:var(--f);fill-rule:evenodd;stroke:var(--e);stroke-width:1.5;stroke-linejoin:round}.y-paper{fill:var(--f);stroke:var(--card-edge)}.y-k-none .y-paper{stroke:var(--e)}.y-foot{fill:var(--i)}\
.y-secret{fill:none;stroke:var(--i);stroke-width:2.2;stroke-dasharray:4 3.5}.y-eye{fill:var(--i)}.y-pupil{fill:var(--t-black)}.y-k-none .y-pupil{fill:var(--mat-2)}.y-k-white .y-pupil,.y-k-yellow .y-pupil{fill:var(--f)}\
.y-sign{fill:none;stroke:var(--i);stroke-width:3.5;stroke-linecap:round;stroke-linejoin:round}.y-sign.y-under{stroke:var(--e);stroke-width:3.9}.y-sign.y-over{stroke:var(--f);stroke-width:3.1}.y-k-none .y-sign.y-over{stroke:var(--e)}\
.y-scene text.y-on{fill:var(--i);font-weight:650}.y-scene text.y-alone{fill:var(--f);stroke:var(--e);stroke-width:2.4;paint-order:stroke}.y-scene text.y-hole{fill:var(--mat-ink)}.y-sign.y-hole{stroke:var(--mat-ink)}.y-edge .y-k-none .y-body{opacity:.5;stroke-width:1.2}.y-scene .y-k-none text.y-alone{fill:var(--e);stroke:none}\
.y-scene text.y-band{fill:var(--b);font-weight:650}\
.y-ground{fill:var(--mat-2)}.y-cell{fill:var(--mat-2);stroke:var(--mat-line)}.y-dark{fill:var(--mat-line);opacity:.5}.y-point{fill:var(--mat-ink)}\
.y-rim{fill:none;stroke:var(--f);stroke-linejoin:round;stroke-linecap:round}.y-rim2{fill:none;stroke:var(--e);stroke-linejoin:round;stroke-linecap:round}\
.y-scene .y-count{font-size:17px;font-weight:600}\
.y-best{fill:none;stroke:var(--accent);stroke-width:3}.y-to{fill:none;stroke:var(--accent);stroke-width:3;stroke-dasharray:6 4}\
.y-any{fill:var(--accent)}.y-last{fill:none;stroke:var(--mat-ink);stroke-width:2}\
.y-arrow{fill:none;stroke:var(--mat-ink);stroke-width:2;stroke-linecap:round}.y-arrowhead{fill:var(--mat-ink)}\
.y-bestarrow{fill:none;stroke:var(--accent);stroke-linecap:round}.y-besthead{fill:var(--accent)}\
.y-chip{fill:var(--sheet);stroke:var(--edge)}.y-chip.y-plus{fill:var(--plus);stroke:var(--plus)}.y-chip.y-minus{stroke:var(--minus)}\
.y-scene text.y-ct{font-size:11px;font-weight:600;fill:var(--ink)}.y-scene text.y-ct.y-plus{fill:var(--sheet)}.y-scene text.y-ct.y-minus{fill:var(--minus)}\
.y-tick{fill:none;stroke:var(--ink);stroke-width:1.6}.y-tick.y-plus{stroke:var(--sheet)}.y-tick.y-minus{stroke:var(--minus)}\
.y-tri{fill:var(--mat-ink)}.y-rule{stroke:var(--rule)}.y-mid{stroke:var(--edge)}.y-row{fill:var(--accent-soft)}.y-rowedge{stroke:var(--accent)}\
.y-bar{fill:var(--plus)}.y-out{fill:none;stroke:var(--minus);stroke-width:1.5}.y-zero{fill:var(--sheet);stroke:var(--ink-2);stroke-width:2}\
.y-whisker{stroke:var(--ink);stroke-width:2}.y-dot{fill:var(--ink)}\
.y-stamp{fill:none;stroke:var(--ink)}.y-stamp.y-exact{fill:var(--ink)}.y-stamp.y-sampled{stroke-dasharray:3 2}.y-scene text.y-exact{fill:var(--sheet)}.y-inv{fill:var(--sheet)}.y-ring{fill:none;stroke:var(--ink);stroke-width:1.8}\
@media print{.y-scene{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";
