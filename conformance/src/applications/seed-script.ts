import { accountOf } from './accounts.ts'
import type { Credentials } from './application.ts'

const addRoles = `  function addRoles(user, after) {
    var left = app.models.Role && app.models.RoleMapping ? roles.slice() : [];
    (function one() {
      var name = left.shift();
      if (!name) return after();
      app.models.Role.findOne({where: {name: name}}, function(error, role) {
        if (role) return map(role);
        app.models.Role.create({name: name}, function(failed, made) {
          if (made) return map(made);
          // The application may have made it meanwhile.
          app.models.Role.findOne({where: {name: name}}, function(unread, found) {
            if (!found) console.error('SEED', failed);
            if (found) map(found); else one();
          });
        });
      });
      function map(role) {
        app.models.RoleMapping.create({principalType: 'USER', principalId: user.id, roleId: role.id}, function(failed) {
          if (failed) console.error('SEED', failed);
          one();
        });
      }
    })();
  }
`

const makeAll = (model: string): string => `  var at = 0;
  function next(error, user) {
    if (error) console.error('SEED', error);
    if (user && roles.length && user.email === accounts[0].email) return addRoles(user, make);
    make();
  }
  function make() {
    if (at === accounts.length) return done();
    app.models[${JSON.stringify(model)}].create(accounts[at++], next);
  }
  // After what the application's own scripts begin and do not wait for.
  setTimeout(make, 1500);
`

const watchSignUps = `  Object.keys(app.models).forEach(function(key) {
    var model = app.models[key];
    if (typeof model.login !== 'function' || key !== model.modelName) return;
    model.observe('before save', function(ctx, next) {
      var own = ctx.isNewInstance && accounts.some(function(one) { return isOf(ctx.instance, one); });
      if (own && ctx.instance.emailVerified !== true) ctx.instance.emailVerified = true;
      next();
    });
    model.observe('after save', function(ctx, next) {
      if (!ctx.isNewInstance || !isOf(ctx.instance, accounts[0])) return next();
      addRoles(ctx.instance, next);
    });
  });
  function isOf(user, account) {
    return Boolean(user) && (user.email ? user.email === account.email : user.username === account.username);
  }
  done();
`

/**
 * A boot script, the same for both sides. With `seed: boot` it makes the accounts of owner and stranger before anything is sent;
 * otherwise it waits until they sign up, takes their addresses for verified, and gives the owner its roles.
 */
export function seedScript(credentials: Credentials): string {
  const { model = 'User', ownerRoles = [], seed } = credentials
  const accounts = (['owner', 'stranger'] as const).map((persona) => ({
    ...accountOf(persona, credentials),
    emailVerified: true
  }))
  return `'use strict';
module.exports = function(app, done) {
  var accounts = ${JSON.stringify(accounts)};
  var roles = ${JSON.stringify(ownerRoles)};
${addRoles}${seed === 'boot' ? makeAll(model) : watchSignUps}};
`
}
