import t from 'tap'
import { publicUrl } from '#src/http/fetch-public.ts'

t.test('an address that holds a private one is refused before anything is asked', async (t) => {
  for (const address of [
    'https://[fd00::1]/',
    'https://169.254.169.254/',
    'https://0x7f000001/',
    'https://017700000001/'
  ])
    t.throws(() => publicUrl(address, false), address)
  for (const address of ['http://keys.example/', 'https://me:secret@keys.example/', 'ftp://keys.example/'])
    for (const allowPrivate of [true, false]) t.throws(() => publicUrl(address, allowPrivate), address)
  t.doesNotThrow(() => publicUrl('https://keys.example/', false))
  t.doesNotThrow(() => publicUrl('https://10.0.0.1/', true))
  t.doesNotThrow(() => publicUrl('http://127.0.0.1/', true))
  t.throws(() => publicUrl('http://10.0.0.1/', true))
})
