import t from 'tap'
import { serverAddress } from '#src/connection/server-address.ts'

void t.test('settings that are empty, as generated files have them, say nothing', async (t) => {
  const generated = { url: '', host: 'db', port: 0, user: 'u', password: '', database: 'd' }
  t.same(serverAddress(generated), { host: 'db', user: 'u', database: 'd' })
  t.same(serverAddress({ host: '', hostname: 'other', username: 'n', user: '', port: '' }), {
    host: 'other',
    user: 'n'
  })
  t.same(serverAddress({}), { host: 'localhost' })
  t.same(serverAddress({ port: '5433' }), { host: 'localhost', port: 5433 })
})

void t.test('an address is used alone', async (t) => {
  const url = 'postgres://u:a,b@db:5433/d?application_name=x,y&target_session_attrs=any'
  t.same(serverAddress({ url, host: 'other' }), { url })
})

void t.test('several hosts, and attributes that nobody heeds, are refused without telling the password', async (t) => {
  const refused = [
    { url: 'postgres://u:secret@a,b/d' },
    { url: 'postgres://u:secret@a:5432,b:5433/d?target_session_attrs=read-write' },
    { url: 'postgres://u:secret@a/d?target_session_attrs=read-write' },
    { url: 'mysql://a,b' },
    { host: 'a,b' },
    { hostname: 'a,b' }
  ]
  for (const settings of refused) {
    t.throws(() => serverAddress(settings), { code: 'OPTION_INVALID' })
    try {
      serverAddress(settings)
    } catch (error) {
      t.notMatch(String(error), 'secret')
    }
  }
})
