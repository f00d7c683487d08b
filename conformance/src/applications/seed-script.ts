import { accountOf } from './accounts.ts'
import type { Credentials } from './application.ts'

/** A boot script, the same for both sides, that makes the accounts of owner and stranger before anything is sent. */
export function seedScript(credentials: Credentials): string {
  const { model = 'User', ownerRoles = [] } = credentials
  const accounts = (['owner', 'stranger'] as const).map((persona) => ({
    ...accountOf(persona, credentials),
    emailVerified: true
  }))
  return `'use strict';
module.exports = function(app, done) {
  var accounts = ${JSON.stringify(accounts)};
  var roles = ${JSON.stringify(ownerRoles)};
  function next(error, user) {
    if (error) console.error('SEED', error);
    if (user && roles.length && user.email === accounts[0].email) return addRoles(user);
    make();
  }
  var at = 0;
  function make() {
    if (at === accounts.length) return done();
    app.models[${JSON.stringify(model)}].create(accounts[at++], next);
  }
  function addRoles(user) {
    var left = roles.slice();
    (function one() {
      var name = left.shift();
      if (!name) return make();
      app.models.Role.findOrCreate({where: {name: name}}, {name: name}, function(error, role) {
        if (error) { console.error('SEED', error); return one(); }
        app.models.RoleMapping.create({principalType: 'USER', principalId: user.id, roleId: role.id}, function(failed) {
          if (failed) console.error('SEED', failed);
          one();
        });
      });
    })();
  }
  make();
};
`
}
