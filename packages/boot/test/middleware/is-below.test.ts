import t from 'tap'
import { isBelow } from '#src/middleware/is-below.ts'

const below: [string, string[], boolean][] = [
  ['/api/things?x=1', ['/api'], true],
  ['/API', ['/api/'], true],
  ['/apix', ['/api'], false],
  ['/other', ['/api', '/other'], true],
  ['/x', ['/'], true]
]

for (const [url, paths, expected] of below) {
  void t.test(`${url} is ${expected ? '' : 'not '}below ${paths.join()}`, async (t) => {
    t.equal(isBelow(url, paths), expected)
  })
}

t.test('a host before the path does not matter', async (t) => {
  t.equal(isBelow('http://shop.org/api/products?q=1', ['/api']), true)
  t.equal(isBelow('HTTPS://shop.org:8080/API', ['/api']), true)
  t.equal(isBelow('http://shop.org/other?to=http://shop.org/api', ['/api']), false)
  t.equal(isBelow('/http://shop.org/api', ['/api']), false)
})
