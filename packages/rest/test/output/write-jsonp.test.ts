import t from 'tap'
import { cleanCallback, writeJsonp } from '#src/output/write-any-json.ts'

t.test('names of functions lose every other character', async (t) => {
  const names: readonly (readonly [unknown, string | undefined])[] = [
    ['cb', 'cb'],
    ['a.b[0]', 'a.b[0]'],
    ['$_1', '$_1'],
    ['alert(1)', 'alert1'],
    ['a-b c', 'abc'],
    ['</script>', 'script'],
    ['()', undefined],
    ['', undefined],
    [['a', 'b'], 'a'],
    [[], undefined],
    [{ x: 'a' }, undefined],
    [undefined, undefined]
  ]
  for (const [callback, name] of names) t.equal(cleanCallback(callback), name, JSON.stringify(callback))
})

t.test('a script calls the function with the value', async (t) => {
  t.equal(writeJsonp('cb', '{"count":1}'), `/**/ typeof cb === 'function' && cb({"count":1});`)
  t.equal(writeJsonp('a.b[0]', '1'), `/**/ typeof a.b[0] === 'function' && a.b[0](1);`)
})

t.test('line separators are escaped', async (t) => {
  t.match(writeJsonp('cb', JSON.stringify('\u2028\u2029')), '("\\u2028\\u2029")')
})
