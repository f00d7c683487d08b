'use strict';

// Counts how often a record was saved.
module.exports = function(Model, options) {
  var property = options.property || 'revision';

  Model.defineProperty(property, {type: 'number', default: 0});

  Model.observe('before save', function(ctx, next) {
    if (ctx.instance) {
      ctx.instance[property] = (ctx.instance[property] || 0) + 1;
    } else if (ctx.currentInstance) {
      ctx.data[property] = (ctx.currentInstance[property] || 0) + 1;
    }
    next();
  });
};
