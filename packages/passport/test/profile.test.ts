import t from 'tap'
import { isUnverified, readProfile, valueAt } from '#src/models/profile.ts'
import { profileToUser } from '#src/models/log-in.ts'
import { renewsByItself } from '#src/configurator/begin-sessions.ts'

t.test('a value is found by its path', async (t) => {
  const profile = { id: 1, name: { given: 'Ann' }, emails: [{ value: 'a@example.com' }] }
  t.equal(valueAt(profile, 'name.given'), 'Ann')
  t.equal(valueAt(profile, 'emails[0].value'), 'a@example.com')
  t.equal(valueAt(profile, 'emails[1].value'), undefined)
  t.equal(valueAt(profile, 'constructor.name'), undefined)
})

t.test('a profile has an id', async (t) => {
  t.strictSame(readProfile({ openid: 'o', a: 1 }), { openid: 'o', a: 1, id: 'o' })
  for (const profile of [undefined, 'x', {}, { id: '' }])
    t.throws(() => readProfile(profile), { code: 'PROFILE_ID_MISSING' })
})

t.test('an address is unverified where the provider says so', async (t) => {
  const email = 'a@example.com'
  t.equal(isUnverified({ emails: [{ value: email }] }, email), false)
  t.equal(isUnverified({ emails: [{ value: email, verified: true }] }, email), false)
  t.equal(isUnverified({ emails: [{ value: 'b' }, { value: email, verified: false }] }, email), true)
  t.equal(isUnverified({ _json: { email_verified: 'false' } }, email), true)
  t.equal(isUnverified({ _json: { verified_email: false } }, email), true)
})

t.test('an account has a name and an address of its provider, and a password of 40 digits', async (t) => {
  const made = profileToUser('p', { id: 7 }, {})
  t.match(made, { username: 'p.7', email: '7@loopback.p.com', password: /^[0-9a-f]{40}$/ })
  t.not(profileToUser('p', { id: 7 }, {})['password'], made['password'])
  const openId = profileToUser('p', { id: 'https://id.example/a' }, {})
  t.match(openId, { username: 'p.https://id.example/a', email: 'https%3A%2F%2Fid.example%2Fa@loopback.p.com' })
  t.equal(profileToUser('ldap', { id: 7 }, {}).email, undefined)
})

t.test('Passport begins sessions anew since 0.6', async (t) => {
  t.strictSame(['0.4.1', '0.5.3', '0.6.0', '0.7.0', '1.0.0'].map(renewsByItself), [false, false, true, true, true])
})
