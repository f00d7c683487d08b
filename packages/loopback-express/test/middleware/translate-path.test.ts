import t from 'tap'
import { translateMountPath, translatePath } from '#src/middleware/translate-path.ts'

const cases: [unknown, unknown][] = [
  ['/a/:id', '/a/:id'],
  ['/a/:id?', '/a{/:id}'],
  ['*', '{*wildcard0}'],
  ['/a*', '/a{*wildcard0}'],
  ['/a/*/b/*', '/a/{*wildcard0}/b/{*wildcard1}'],
  ['/a/(.*)', '/a/{*wildcard0}'],
  ['/a/{*rest}', '/a/{*rest}'],
  ['/a/*rest', '/a/*rest'],
  [/^\/x/u, /^\/x/iu],
  ['/café %C3%a9//%41%2e%40', '/caf%C3%A9%20%C3%A9/A.@'],
  ['/a%2A%3Ab%2f;', '/a\\*\\:b%2F%3B'],
  ['/100%', '/100%'],
  [
    ['/a*', '/b'],
    ['/a{*wildcard0}', '/b']
  ]
]

for (const [path, translated] of cases) {
  void t.test(`${String(path)} of LoopBack's time is ${String(translated)} today`, (t) => {
    t.strictSame(translatePath(path), translated)
    t.end()
  })
}

void t.test('a root among the paths of use means every path', (t) => {
  t.equal(translateMountPath(['/x', '/']), '/')
  t.strictSame(translateMountPath(['/x*', '/y']), ['/x{*wildcard0}', '/y'])
  t.end()
})
