import t from 'tap'
import { newUserCode, readUserCode } from '#src/server/store/device-codes.ts'

t.test('a code has eight letters that are not taken for others, in two groups', async (t) => {
  const codes = new Set(Array.from({ length: 200 }, newUserCode))
  t.equal(codes.size, 200)
  for (const code of codes) {
    t.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    t.equal(readUserCode(code), code)
  }
})

t.test('people write codes in their own way', async (t) => {
  for (const written of ['wdjb-mjht', ' WDJBMJHT ', 'wd jb mj ht', 'WDJB_MJHT', 'w.d.j.b.m.j.h.t'])
    t.equal(readUserCode(written), 'WDJB-MJHT')
})

t.test('what cannot be a code is not looked for', async (t) => {
  for (const written of [undefined, '', 'WDJB', 'WDJB-MJHTX', 'AEIO-UUUU', 'WDJB-MJH%', 'constructor', 'WDJB-MJH1'])
    t.equal(readUserCode(written), undefined)
})
