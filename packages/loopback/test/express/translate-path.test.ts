import t from 'tap'
import { translatePath } from '#src/express/express-stack.ts'

const cases: [unknown, unknown][] = [
  ['/a/:id?', '/a/:id?'],
  ['/a/:id(\\d+|"x")', '/a/:id(\\d+|"x")'],
  ['/a/(b(c)|d)/*', '/a/(b(c)|d)/*'],
  [/^\/x/u, /^\/x/iu],
  ['/café %C3%a9//%41%2e%40', '/caf%C3%A9%20%C3%A9/A.@'],
  ['/a%2A%3Ab%2f%24;', '/a\\*\\:b%2F\\$%3B'],
  ['/100%', '/100%'],
  [
    ['/á', '/b'],
    ['/%C3%A1', '/b']
  ]
]

for (const [path, translated] of cases) {
  void t.test(`${String(path)} is compared as ${String(translated)}`, (t) => {
    t.strictSame(translatePath(path), translated)
    t.end()
  })
}
