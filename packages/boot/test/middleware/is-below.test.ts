import t from 'tap'
import { isBelow } from '#src/middleware/is-below.ts'

const below: [string, string[], boolean][] = [
  ['/api/things?x=1', ['/api'], true],
  ['/API', ['/api/'], true],
  ['/apix', ['/api'], false],
  ['/other', ['/api', '/other'], true],
  ['/x', ['/'], true],
  ['http://shop.org/api/things?x=1', ['/api'], true],
  ['HTTPS://shop.org:8080/API', ['/api'], true],
  ['http://shop.org/other?to=http://shop.org/api', ['/api'], false],
  ['/http://shop.org/api', ['/api'], false]
]

for (const [url, paths, expected] of below) {
  void t.test(`${url} is ${expected ? '' : 'not '}below ${paths.join()}`, async (t) => {
    t.equal(isBelow(url, paths), expected)
  })
}
