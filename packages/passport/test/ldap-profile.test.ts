import t from 'tap'
import { buildLdapProfile } from '#src/schemes/ldap.ts'

// What loopback-component-passport 3.12 gives, but for lists of addresses, of which it takes the list for an address.
const cases: readonly (readonly [user: object, options: object, profile: object])[] = [
  [{ uid: 'u', cn: 'Ann', mail: 'a@x' }, {}, { username: 'Ann', id: 'u', emails: [{ value: 'a@x' }] }],
  [
    { uid: ['u', 'v'], cn: ['Ann', 'B'], mail: ['a@x', 'b@x'], memberOf: 'g', givenName: 'An', sn: 'Sn' },
    { profileAttributesFromLDAP: { groups: 'memberOf', given: 'givenName', last: 'sn', email: 'mail' } },
    {
      groups: ['g'],
      name: { givenName: 'An', familyName: 'Sn' },
      given: 'An',
      last: 'Sn',
      emails: [{ value: 'a@x' }],
      email: 'a@x',
      username: 'Ann',
      id: ['u', 'v']
    }
  ],
  [
    { objectGUID: Buffer.from('0123456789abcdef'), cn: 'A' },
    {},
    { username: 'A', id: '30313233-3435-3637-3839-616263646566' }
  ],
  [
    { objectGUID: '0123456789abcdef', cn: 'A' },
    { profileAttributesFromLDAP: { id: 'objectGUID' } },
    { id: '0123456789abcdef', username: 'A' }
  ]
]

for (const [user, options, profile] of cases)
  t.test(`${JSON.stringify(user)} with ${JSON.stringify(options)}`, async (t) => {
    t.same(buildLdapProfile(user, options), profile)
  })

t.test('an entry without an id gives a profile without one', async (t) => {
  t.equal(buildLdapProfile({ cn: 'A' }, {})['id'], undefined)
})
