/** The look of the control page: one sheet, inline, that needs nothing from anywhere. */
export const pageStyle: string = `:root{color-scheme:light dark;--line:light-dark(#c9ced6,#3d434d);--link:light-dark(#1d5fbf,#8ab8ff);background:light-dark(#fff,#16181c);color:light-dark(#1a1c20,#e8eaed);font:16px/1.5 system-ui,sans-serif}
*{box-sizing:border-box}body{margin:0}main{max-width:80rem;margin:0 auto;padding:1.5rem}h1{font-size:1.5rem;margin:0 0 .25rem;overflow-wrap:anywhere}h2{font-size:1.125rem;margin:2rem 0 .5rem}h3,h4{font-size:1rem;margin:1rem 0 .25rem}
code,pre{font:.875rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}pre{margin:.25rem 0}
button,input{font:inherit;color:inherit;background:transparent;border:1px solid light-dark(#6b7380,#8b93a0);border-radius:.375rem;padding:.25rem .75rem;min-height:2.25rem}
button{cursor:pointer}button:hover{background:color-mix(in srgb,currentColor 10%,transparent)}button:disabled{opacity:.6;cursor:default}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}[hidden]{display:none!important}
.bar{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:1rem 0}label{display:grid;gap:.125rem}input{width:18rem;max-width:100%}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}thead th{border:0;font-size:.875rem}
th[scope=row]{font-weight:600}th small{font-weight:400}thead th{overflow-wrap:normal}td.action button{white-space:nowrap}td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}small{display:block;color:light-dark(#4b525d,#aab2bd)}small.since{white-space:nowrap}small:empty{display:none}
.new{color:light-dark(#176b2c,#7ddf95);font-weight:600}.bad{color:light-dark(#a3261c,#ff9d94);font-weight:600}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:.5rem .75rem}summary{cursor:pointer;overflow-wrap:anywhere}
#alert{color:light-dark(#a3261c,#ff9d94)}#alert:empty,#status:empty{display:none}
@media(max-width:48rem){main{padding:.75rem}thead{display:none}table,tbody,tr,th,td{display:block}tr{padding:.5rem 0;border-top:1px solid var(--line)}th,td{border:0;padding:.1rem 0}td.number{text-align:left}
td::before{content:attr(data-label) ": ";font-weight:600}td.action::before{content:none}td:empty{display:none}input{width:100%}label{width:100%}}`
