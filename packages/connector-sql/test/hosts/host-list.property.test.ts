import { readAuthority, readHostList, nameHost, serverAddresses } from '#src/hosts/server-addresses.ts'
import * as fc from 'fast-check'
import t from 'tap'

const host = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/),
  fc.ipV6().map((address) => `[${address}]`)
)
const listed = fc.record({ host, port: fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }) })
const list = fc.array(listed, { minLength: 1, maxLength: 6 })
/** Letters, and whatever else a password may hold in an address; most of it written with percent signs. */
const secret = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((text) => encodeURIComponent(text).replaceAll('%2C', ','))

void t.test('a list of hosts is read as it was written, as an authority and as settings', async (t) => {
  fc.assert(
    fc.property(list, (hosts) => {
      const names = hosts.map(nameHost)
      const ports = hosts.map(({ port }) => port ?? '').join(',')
      const separate = readHostList(hosts.map((each) => each.host).join(','), ports)
      return (
        readAuthority(names.join(',')).map(nameHost).join(' ') === names.join(' ') &&
        separate.map(nameHost).join(' ') === names.join(' ')
      )
    })
  )
  t.pass()
})

void t.test('each address of a list leads to its host alone, with the same login, database and settings', async (t) => {
  fc.assert(
    fc.property(list, secret, fc.constantFrom('any', 'read-write', 'standby'), (hosts, password, wanted) => {
      const authority = hosts.map(nameHost).join(',')
      const url = `postgres://u:${password}@${authority}/shop?target_session_attrs=${wanted}&application_name=a%2Cb`
      const read = serverAddresses({ url })
      return (
        read.wanted === wanted &&
        read.hosts.length === hosts.length &&
        read.hosts.every(({ address, name }, at) => {
          const single = new URL(address.url ?? '')
          const expected = new URL(`postgres://${nameHost(hosts[at] ?? { host: '', port: undefined })}`)
          return (
            single.host === expected.host &&
            single.password === new URL(url.replace(authority, 'x')).password &&
            single.pathname === '/shop' &&
            single.search === '?application_name=a%2Cb' &&
            !name.includes('@')
          )
        })
      )
    })
  )
  t.pass()
})

void t.test('whatever the texts are, they are read or refused with a code', async (t) => {
  const settings = fc.record({
    url: fc.option(
      fc.string().map((text) => `postgres://${text}`),
      { nil: undefined }
    ),
    host: fc.string({ unit: fc.constantFrom(',', ':', '[', ']', 'a', '/', '@', ' ') }),
    port: fc.stringMatching(/^[0-9,]{0,8}$/)
  })
  const isRefusal = (error: unknown): boolean =>
    error instanceof Error && 'code' in error && error.code === 'OPTION_INVALID'
  fc.assert(
    fc.property(settings, ({ url, ...rest }) => {
      try {
        return serverAddresses(url === undefined ? rest : { ...rest, url }).hosts.length > 0
      } catch (error) {
        return isRefusal(error)
      }
    })
  )
  t.pass()
})
