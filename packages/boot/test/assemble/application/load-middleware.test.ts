import t from 'tap'
import { refusal, usualFiles } from '../../make-app.ts'

const cases: [string, string, string][] = [
  ['exports no function', './m', 'module.exports = {}'],
  ['has no such part', './m#part', 'exports.other = () => {}'],
  ['throws', './m', 'module.exports = () => { throw new Error("no") }'],
  ['makes no handler', './m', 'module.exports = () => 5'],
  ['cannot be loaded', './m', 'syntax error']
]

for (const [name, key, source] of cases) {
  void t.test(`a middleware that ${name} is told at the start`, async (t) => {
    const { code } = await refusal(t, {
      'server/middleware.json': {
        auth: { [key]: {} },
        ...Object(usualFiles['server/middleware.json']),
        initial: undefined
      },
      'server/m.js': source
    })
    t.equal(code, 'SCRIPT_FAILED')
  })
}
