import { usualFiles } from '../make-app.ts'

/** Rules in short: whom, what is permitted, which methods. */
export const rule = (principalId: string, permission: string, more: object = {}): object => ({
  principalType: 'ROLE',
  principalId,
  permission,
  ...more
})

const hidden = { dataSource: 'db', public: false }
const ofAccess = ['User', 'AccessToken', 'Role', 'RoleMapping', 'ACL']

/** The usual models of tests and those of access control, which are not public, and these. */
export const withAccessModels = (more: object): object => ({
  ...Object(usualFiles['server/model-config.json']),
  ...Object.fromEntries(ofAccess.map((name) => [name, hidden])),
  ...more
})
