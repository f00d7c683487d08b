/** The look of all pages: one sheet, inline, that needs nothing from anywhere. Colours have a contrast of 4.5 or more. */
export const style = `
:root{color-scheme:light dark;--page:#f2f4f7;--card:#fff;--ink:#16202e;--soft:#56627a;--line:#d4dae4;--field:#fff;--edge:#7b879c;
--accent:#2350c8;--accent-deep:#1b3f9f;--on-accent:#fff;--tint:#e9effc;--bad:#b3261e;--bad-tint:#fdeceb;--good:#1a7048;--good-tint:#e5f5ec;
--shade:0 1px 2px rgb(22 32 46/.06),0 12px 32px rgb(22 32 46/.1)}
@media (prefers-color-scheme:dark){:root{--page:#0e131b;--card:#181f2a;--ink:#eaeff7;--soft:#a3afc3;--line:#2f3949;--field:#10161f;--edge:#75829a;
--accent:#8fb0ff;--accent-deep:#adc5ff;--on-accent:#0d1a3a;--tint:#202d49;--bad:#ff9d94;--bad-tint:#3a2021;--good:#7fd6a6;--good-tint:#173226;
--shade:0 1px 2px rgb(0 0 0/.4),0 12px 32px rgb(0 0 0/.35)}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.25rem;
padding:1.5rem 1rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.brand{display:flex;align-items:center;gap:.6rem;margin:0;font-weight:650;letter-spacing:-.01em;max-width:27rem;overflow-wrap:anywhere}
.mark{width:2rem;height:2rem;flex:none}
main{width:100%;max-width:27rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;box-shadow:var(--shade)}
h1{margin:0 0 .375rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;overflow-wrap:anywhere;text-wrap:balance}
h2{margin:1.5rem 0 .5rem;font-size:.9375rem;line-height:1.4;overflow-wrap:anywhere}
p{margin:0 0 1rem}
.lead{color:var(--soft);margin-bottom:1.5rem;overflow-wrap:anywhere}
main>:last-child{margin-bottom:0}
.note{color:var(--soft);font-size:.875rem;margin:1.25rem 0 0;overflow-wrap:anywhere}
strong,b{font-weight:650;color:var(--ink);overflow-wrap:anywhere}
label{display:block;margin:0 0 .375rem;font-weight:600;font-size:.9375rem}
.field{margin-bottom:1.125rem}
input[type=text],input[type=password]{display:block;width:100%;min-height:2.875rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--field);
border:1px solid var(--edge);border-radius:.625rem}
input[aria-invalid=true]{border-color:var(--bad);box-shadow:0 0 0 1px var(--bad)}
.code{font:600 1.5rem/1.3 ui-monospace,"SF Mono",Menlo,Consolas,monospace!important;letter-spacing:.16em;text-align:center;text-transform:uppercase}
.code::placeholder{color:var(--soft);opacity:1}
.hint{margin:.375rem 0 0;color:var(--soft);font-size:.875rem}
.alert{margin:0 0 1.25rem;padding:.75rem .875rem;border-radius:.625rem;border-left:4px solid var(--bad);background:var(--bad-tint);color:var(--bad);
font-size:.9375rem;font-weight:550;overflow-wrap:anywhere}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
button,.button{display:inline-flex;flex:1 1 9rem;align-items:center;justify-content:center;min-height:2.875rem;padding:.5rem 1.125rem;font:inherit;font-weight:650;
text-decoration:none;cursor:pointer;border:1px solid var(--edge);border-radius:.625rem;background:transparent;color:var(--ink)}
button:hover,.button:hover{background:var(--tint)}
.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.primary:hover{background:var(--accent-deep);border-color:var(--accent-deep)}
.quiet{display:inline;flex:none;min-height:1.5rem;padding:0;border:0;font-weight:600;text-decoration:underline;text-underline-offset:.15em;color:var(--accent)}
.quiet:hover{background:none;color:var(--accent-deep)}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.who{display:flex;align-items:center;gap:.75rem;margin:0 0 1.25rem;padding:.75rem;border:1px solid var(--line);border-radius:.75rem}
.who div{line-height:1.35;overflow-wrap:anywhere;min-width:0}
.who strong{display:block}
.who form{margin-top:.25rem}
.who .quiet{font-size:.875rem}
.who small{display:block;color:var(--soft);font-size:.8125rem}
.face{flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:50%;background:var(--tint);color:var(--accent);font-weight:700;text-transform:uppercase}
.pair{display:flex;align-items:center;gap:.625rem;margin:0 0 1.25rem;color:var(--soft)}
.pair .face{width:3rem;height:3rem;border-radius:.875rem;font-size:1.25rem}
.pair .dots{width:1.75rem;border-top:2px dotted var(--edge)}
.scopes{margin:0;padding:0;list-style:none;border:1px solid var(--line);border-radius:.75rem}
.scopes li{display:flex;gap:.625rem;padding:.625rem .875rem;overflow-wrap:anywhere}
.scopes li+li{border-top:1px solid var(--line)}
.scopes li>span{min-width:0}
.scopes svg{flex:none;width:1.125rem;height:1.125rem;margin-top:.2rem;color:var(--good)}
.scopes code{display:block;color:var(--soft);font-size:.8125rem}
code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;overflow-wrap:anywhere}
.big{display:block;margin:0 0 1.25rem;padding:.75rem;border-radius:.75rem;background:var(--tint);text-align:center;font-size:1.5rem;font-weight:650;letter-spacing:.12em}
.sign{display:grid;place-items:center;width:3rem;height:3rem;margin:0 0 1rem;border-radius:50%;background:var(--good-tint);color:var(--good)}
.sign.bad{background:var(--bad-tint);color:var(--bad)}
.sign svg{width:1.5rem;height:1.5rem}
dl{margin:1.25rem 0 0;padding:.875rem;border:1px solid var(--line);border-radius:.75rem;font-size:.875rem}
dt{color:var(--soft)}
dd{margin:0 0 .5rem;overflow-wrap:anywhere}
dd:last-child{margin:0}
@media (max-width:30rem){body{justify-content:flex-start;padding:1.25rem .875rem}main{padding:1.375rem 1.25rem;border-radius:.875rem}h1{font-size:1.375rem}}
@media (forced-colors:active){main,.face,.alert{border:1px solid}}
`
