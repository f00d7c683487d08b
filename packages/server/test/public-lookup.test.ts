import type { LookupAddress } from 'node:dns'
import t from 'tap'
import { isPublicAddress, publicLookup } from '#src/requests/public-address.ts'

const privates = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'localhost',
  ''
]
const publics = ['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '192.167.1.1', '100.128.0.1', '2606:4700:4700::1111']

t.test('addresses of the public network are told from all others', async (t) => {
  for (const address of privates) t.notOk(isPublicAddress(address), address)
  for (const address of publics) t.ok(isPublicAddress(address), address)
})

/** What a name leads to. */
async function look(found: readonly string[], all: boolean): Promise<unknown> {
  const addresses: LookupAddress[] = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const lookup = publicLookup((_name, options, callback) => {
    t.equal(options.all, true)
    callback(null, addresses)
  })
  return new Promise((done, fail) => {
    lookup('keys.example', { all }, (error, address) => (error === null ? done(address) : fail(error)))
  })
}

t.test('a name leads to public addresses, or nowhere', async (t) => {
  t.equal(await look(['8.8.8.8'], false), '8.8.8.8')
  t.match(await look(['8.8.8.8', '2606:4700::1'], true), [{ address: '8.8.8.8' }, { address: '2606:4700::1' }])
  for (const found of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::1'], []])
    for (const all of [true, false]) await t.rejects(look(found, all), { message: /private/ }, found.join())
})

t.test('a name that is not known is an error of its own', async (t) => {
  const unknown = Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  const lookup = publicLookup((_name, _options, callback) => callback(unknown, []))
  const looked = new Promise((done, fail) => {
    lookup('keys.example', {}, (error) => (error === null ? done(undefined) : fail(error)))
  })
  await t.rejects(looked, { code: 'ENOTFOUND' })
})
