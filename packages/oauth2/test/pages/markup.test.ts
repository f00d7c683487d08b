import t from 'tap'
import { escapeHtml, markup, linkTo } from '#src/pages/layout.ts'

const signs = `<script>"'&</script>`

t.test('values become text, in elements and in attributes with quotes', async (t) => {
  t.equal(escapeHtml(signs), '&lt;script&gt;&quot;&#39;&amp;&lt;/script&gt;')
  t.equal(markup`<p title="${signs}">${signs}</p>`.text, `<p title="${escapeHtml(signs)}">${escapeHtml(signs)}</p>`)
})

t.test('templates nest, and nothing is written for what is not there', async (t) => {
  const items = ['a', '<b>'].map((item) => markup`<li>${item}</li>`)
  t.equal(markup`<ul>${items}</ul>${undefined}${false}${0}`.text, '<ul><li>a</li><li>&lt;b&gt;</li></ul>0')
})

t.test('an object that looks like HTML is text', async (t) => {
  const forged = { text: '<b>' } as unknown as string
  t.notMatch(markup`${forged}`.text, '<b>')
})

t.test('links lead to pages of the web alone', async (t) => {
  t.equal(linkTo('https://a.example/terms'), 'https://a.example/terms')
  for (const address of ['javascript:alert(1)', 'data:text/html,x', ' javascript:alert(1)', '/x', 7, undefined])
    t.equal(linkTo(address), undefined)
})
