import { serverAddresses } from '#src/hosts/server-addresses.ts'
import t from 'tap'

const addressesOf = (settings: Parameters<typeof serverAddresses>[0]) =>
  serverAddresses(settings).hosts.map(({ address }) => address)

void t.test('settings that are empty, as generated files have them, say nothing', async (t) => {
  const generated = { url: '', host: 'db', port: 0, user: 'u', password: '', database: 'd' }
  t.same(addressesOf(generated), [{ host: 'db', user: 'u', database: 'd' }])
  t.same(addressesOf({ host: '', hostname: 'other', username: 'n', user: '', port: '' }), [
    { host: 'other', user: 'n' }
  ])
  t.same(addressesOf({}), [{ host: 'localhost' }])
  t.same(addressesOf({ port: '5433' }), [{ host: 'localhost', port: 5433 }])
})

void t.test('an address with one host is used alone, as it is', async (t) => {
  const url = 'postgres://u:a,b@db:5433/d?application_name=x,y%20z'
  t.same(serverAddresses({ url, host: 'other' }), {
    hosts: [{ name: 'db:5433', address: { url } }],
    wanted: 'any',
    isRandom: false
  })
  for (const odd of ['socket:/tmp/x?db=d', '/tmp/sockets d', 'nothing'])
    t.same(addressesOf({ url: odd }), [{ url: odd }])
})

void t.test('several hosts have one port, or one each', async (t) => {
  const named = ({ host, port }: { host: string; port: string }): readonly string[] =>
    serverAddresses({ host, port }).hosts.map(({ name }) => name)
  t.same(named({ host: 'a,b', port: '5501,5502' }), ['a:5501', 'b:5502'])
  t.same(named({ host: 'a, b', port: '5501' }), ['a:5501', 'b:5501'])
  t.same(named({ host: 'a,,::1', port: ',0,7' }), ['a', 'localhost', '[::1]:7'])
  t.throws(() => serverAddresses({ host: 'a,b,c', port: '1,2' }), { code: 'OPTION_INVALID' })
  t.throws(() => serverAddresses({ host: 'a,b', port: '1,2,3' }), { code: 'OPTION_INVALID' })
})

void t.test('an address with several hosts becomes one for each, without what is said of the list', async (t) => {
  const url =
    'postgres://u:a,b%40@a:5501,b,[::1]:7/d?target_session_attrs=any&application_name=x&load_balance_hosts=random'
  const { hosts, wanted, isRandom } = serverAddresses({ url })
  t.same(
    hosts.map(({ address }) => address.url),
    ['a:5501', 'b', '[::1]:7'].map((host) => `postgres://u:a,b%40@${host}/d?application_name=x`)
  )
  t.same([wanted, isRandom], ['any', true])
  t.same(addressesOf({ url: 'postgres:///d?host=/tmp,b&port=1,2' }), [
    { url: 'postgres://%2Ftmp:1/d' },
    { url: 'postgres://b:2/d' }
  ])
})

void t.test('of several hosts one that writes is wanted, unless said otherwise', async (t) => {
  t.equal(serverAddresses({ host: 'a,b' }).wanted, 'read-write')
  t.equal(serverAddresses({ host: 'a,b', targetSessionAttrs: 'any' }).wanted, 'any')
  t.equal(serverAddresses({ host: 'a' }).wanted, 'any')
  t.equal(serverAddresses({ url: 'postgres://a/d?target_session_attrs=primary' }).wanted, 'primary')
  t.equal(serverAddresses({ host: 'a,b', loadBalanceHosts: 'random' }).isRandom, true)
})

void t.test('what is wrong with a list is refused without telling the password', async (t) => {
  const refused = [
    'postgres://u:secret@a:x,b/d',
    'postgres://u:secret@a:99999,b/d',
    'postgres://u:secret@a,b/d?target_session_attrs=writable',
    'postgres://u:secret@a/d?load_balance_hosts=always'
  ]
  for (const url of refused) {
    t.throws(() => serverAddresses({ url }), { code: 'OPTION_INVALID' })
    try {
      serverAddresses({ url })
    } catch (error) {
      t.notMatch(String(error), 'secret')
    }
  }
})
