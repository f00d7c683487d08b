import t from 'tap'
import { networkOf } from '#src/shared/login-attempt.ts'

t.test('addresses of one network of version 6 count as one', async (t) => {
  for (const address of ['2001:db8:1:2::1', '2001:0db8:1:2:ffff:0:0:9', '2001:DB8:1:2::', '2001:db8:1:2::1%eth0'])
    t.equal(networkOf(address), '2001:db8:1:2::/64', address)
  t.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64')
  t.equal(networkOf('::1'), '0:0:0:0::/64')
  t.equal(networkOf('64:ff9b::198.51.100.1'), '64:ff9b:0:0::/64')
})

t.test('those of version 4, and what is no address, count as they are', async (t) => {
  const addresses = ['198.51.100.7', '::ffff:198.51.100.7', 'proxy']
  t.strictSame(addresses.map(networkOf), ['198.51.100.7', '198.51.100.7', 'proxy'])
})
