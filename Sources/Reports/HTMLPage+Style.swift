extension HTMLPage {
    /// The style sheet: light or dark like the reader's system, light on paper, for phones and large screens.
    ///
    /// The colours of series have a contrast of 3 to 1 with both backgrounds. Dashes and marks also distinguish them.
    static let style: Markup = """

        :root { color-scheme: light dark; --ground: #fff; --raised: #f5f6f8; --ink: #1c2127; --soft: #58616c;
          --rule: #d9dde2; --good: #17693a; --bad: #b3261e; --alarm: #fdecea; --heat: #f08a4b;
          --c0: #0b5cad; --c1: #b4540a; --c2: #17774a; --c3: #8a3ab9; --c4: #b3266b; --c5: #586069; }
        @media screen and (prefers-color-scheme: dark) { :root { --ground: #14181d; --raised: #1d232a; --ink: #e6e9ed;
          --soft: #a0a9b4; --rule: #353d47; --good: #5fcf8e; --bad: #ff8a80; --alarm: #3a1d1c; --heat: #a8481a;
          --c0: #6cb2ff; --c1: #f5a04c; --c2: #57cf95; --c3: #cf9bf5; --c4: #ff8fbf; --c5: #aab4bf; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--ink);
          font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
        main { max-width: 80rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
        h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.2rem; margin: 2.25rem 0 .6rem; padding-bottom: .25rem; border-bottom: 1px solid var(--rule); }
        h3 { font-size: 1rem; margin: 1.25rem 0 .4rem; overflow-wrap: anywhere; }
        p { margin: .4rem 0; }
        .headline { font-size: 1.2rem; line-height: 1.4; max-width: 52rem; margin: .8rem 0 0; }
        .remark, .about { color: var(--soft); font-size: .9rem; max-width: 48rem; overflow-wrap: anywhere; }
        ul.plain { list-style: none; margin: 0; padding: 0; }
        ul.plain li { padding: .1rem 0 .1rem 1.6rem; text-indent: -1.6rem; overflow-wrap: anywhere; }
        .met { color: var(--good); } .failed { color: var(--bad); font-weight: 600; }
        .alarm { background: var(--alarm); border-left: 4px solid var(--bad); padding: .6rem .9rem; margin: .8rem 0;
          overflow-wrap: anywhere; }
        .note { background: var(--raised); border-left: 4px solid var(--soft); padding: .6rem .9rem; margin: .8rem 0;
          overflow-wrap: anywhere; }
        dl.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: .6rem; }
        dl.figures div { background: var(--raised); border-radius: 6px; padding: .55rem .75rem;
          overflow-wrap: anywhere; }
        dl.figures dt { color: var(--soft); font-size: .85rem; line-height: 1.3; }
        dl.figures dd { margin: 0; font-size: 1.05rem; font-weight: 600; font-variant-numeric: tabular-nums;
          overflow-wrap: anywhere; }
        small { font-size: .8rem; font-weight: 400; color: var(--soft); white-space: nowrap; }
        .scroll, .plots, dl.figures { margin: .7rem 0; }
        .scroll { overflow: auto; max-height: 34rem; } details .scroll { max-height: none; }
        .scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--c0); outline-offset: 2px; }
        table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
        caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
        th, td { padding: .25rem 0 .25rem .6rem; text-align: right; vertical-align: top; white-space: nowrap;
          border-bottom: 1px solid var(--rule); }
        td small, dd small { display: block; font-size: .72rem; } td small.sure { color: var(--ink); font-weight: 600; }
        th[scope=row] { text-align: left; font-weight: 500; white-space: normal; overflow-wrap: break-word; \
        max-width: 22rem; }
        th.heading { text-align: left; }
        th:first-child { text-align: left; padding-left: 0; position: sticky; left: 0; background: var(--ground); }
        thead th { position: sticky; top: 0; z-index: 1; background: var(--ground); color: var(--soft); \
        font-weight: 600;
          white-space: normal; vertical-align: bottom; } thead th:first-child { z-index: 2; }
        details { margin: .5rem 0; } summary { cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
        pre { background: var(--raised); border-radius: 6px; padding: .8rem; overflow-x: auto; font-size: .82rem; }
        .plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1.25rem; }
        .plots.small { grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
        figure { margin: 0; min-width: 0; break-inside: avoid; }
        figcaption { font-weight: 600; overflow-wrap: anywhere; }
        figcaption span { display: block; font-weight: 400; color: var(--soft); font-size: .85rem; line-height: 1.35; }
        ul.key { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .2rem 0 0; padding: 0;
          font-size: .85rem; } ul.key li { overflow-wrap: anywhere; }
        ul.key svg { width: 36px; height: 12px; margin-right: .35rem; }
        svg { display: block; width: 100%; height: auto; } ul.key svg { display: inline-block; vertical-align: middle; }
        svg.cell { width: 7rem; margin: .15rem 0 .15rem auto; }
        svg.face { float: left; width: 24px; margin-right: .5rem; } svg.face.face text { fill: #000; font-size: 13px;
          font-weight: 600; } svg.face.dark.dark text { fill: #fff; }
        svg text { font: 12px system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; \
        fill: var(--soft); }
        @media screen and (min-width: 60rem) { .plots:not(.small) svg text { font-size: 10.5px; } }
        .grid { stroke: var(--rule); stroke-width: 1; fill: none; } .frame { stroke: var(--soft); stroke-width: 1; \
        fill: none; }
        .band { fill: var(--c); opacity: .22; } .shade { fill: var(--soft); opacity: .14; } .threshold { \
        stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 6 3; }
        svg text.label { fill: var(--ink); }
        .s0 { --c: var(--c0); } .s1 { --c: var(--c1); --d: 8 4; } .s2 { --c: var(--c2); --d: 2 3; }
        .s3 { --c: var(--c3); --d: 10 3 2 3; } .s4 { --c: var(--c4); --d: 14 4; } .s5 { --c: var(--c5); \
        --d: 5 2 1 2 1 2; }
        .line { fill: none; stroke: var(--c); stroke-width: 2; stroke-dasharray: var(--d, none); \
        stroke-linejoin: round; } .line.thin { stroke-width: 1.25; }
        .bar { fill: var(--c); fill-opacity: .55; stroke: var(--c); } .mark { fill: var(--c); stroke: var(--ground); }
        .whisker { fill: none; stroke: var(--c); stroke-width: 1.5; } .bar + .whisker { stroke: var(--ink); }
        thead th { cursor: pointer; } th[aria-sort=ascending]::after { content: " ▲"; }
        th[aria-sort=descending]::after { content: " ▼"; } td.text { text-align: left; white-space: normal; }
        tr.marked > * { background: var(--raised); font-weight: 700; } tr.marked > :first-child::before { content: "▸ "; }
        td:has(> .heat) { padding: 1px; border: 0; } .heat { display: block; min-width: 2.2rem; padding: .2rem .35rem;
          text-align: center; border-radius: 3px; print-color-adjust: exact; background: var(--raised); }
        \(Self.shades)
        @media screen and (max-width: 40rem) { svg text { font-size: 13px; } main { padding: 1rem .9rem 2rem; } h1 { \
        font-size: 1.4rem; }
          th[scope=row] { max-width: 11rem; } }
        @media print { body { font-size: 10pt; } main { max-width: none; padding: 0; } .scroll { overflow: visible; \
        max-height: none; } thead th { position: static; }
          .plots, .plots.small { grid-template-columns: 1fr 1fr; } section > h2 { break-after: avoid; } tr { \
        break-inside: avoid; }
          details.printed::details-content { content-visibility: visible; } }

        """

    /// The colours of a heat map: the more, the redder. Text keeps a contrast of 4.5 to 1 in both themes.
    private static let shades = (1...9).map { shade -> Markup in
        ".h\(shade) { background: color-mix(in srgb, var(--heat) \(6 + 8 * shade)%, var(--ground)); }\n"
    }.joined()
}
