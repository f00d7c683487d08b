import { styleText } from 'node:util'
import t from 'tap'
import { printable, visible } from '#src/terminal.ts'

t.test('what a terminal would obey is written out', async (t) => {
  t.equal(visible('\u001B[2Jname\r\u009B'), '\\u001b[2Jname\\u000d\\u009b')
  t.equal(visible('Größe-日本'), 'Größe-日本')
})

t.test('a line keeps its colours, ends and tabs, and nothing else of the kind', async (t) => {
  const line = styleText('red', 'text', { validateStream: false })
  t.equal(printable(`${line}\tmore\n`), `${line}\tmore\n`)
  t.equal(printable('\u001B]0;title\u0007'), '\\u001b]0;title\\u0007')
})

t.test('no other control character is left of any text', async (t) => {
  for (let code = 0; code < 0x100; code++) {
    const sign = String.fromCodePoint(code)
    const left = printable(`a${sign}[b${sign}`).replaceAll(/[\n\t]/g, '')
    t.notMatch(left, /\p{Cc}/u, `character ${code}`)
  }
})
