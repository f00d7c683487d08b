import t from 'tap'
import { userClaims } from '#src/oidc/userinfo.ts'

const user = {
  id: 7,
  username: 'ann',
  name: 'Ann Berger',
  familyName: 'Berger',
  email: 'ann@shop.org',
  emailVerified: true,
  password: 'hash',
  verificationToken: 'x',
  phone: '+43 1 234',
  address: 'Lindengasse 4, Vienna',
  updatedAt: new Date('2026-03-01T00:00:00.500Z')
}

t.test('claims belong to scopes', async (t) => {
  t.same(userClaims(user, ['openid']), {})
  t.same(userClaims(user, ['email']), { email: 'ann@shop.org', email_verified: true })
  t.same(userClaims(user, ['address', 'phone']), {
    address: { formatted: 'Lindengasse 4, Vienna' },
    phone_number: '+43 1 234'
  })
  t.same(userClaims(user, ['profile']), {
    name: 'Ann Berger',
    family_name: 'Berger',
    preferred_username: 'ann',
    updated_at: 1_772_323_200
  })
})

t.test('scopes named like members of objects give nothing', async (t) => {
  t.same(userClaims(user, ['constructor', '__proto__', 'password', 'toString']), {})
})

t.test('a property of another type is no claim', async (t) => {
  const odd = { id: 1, email: { like: '%' }, emailVerified: 'yes', name: 7, updatedAt: 'never' }
  t.same(userClaims(odd, ['email', 'profile']), {})
})
