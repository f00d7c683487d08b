'use strict';

// What holds for all methods of all models.
module.exports = function(app) {
  var booked = 0;

  app.models.Booking.on('booked', function() {
    booked++;
  });

  app.remotes().phases
    .addBefore('invoke', 'tenant')
    .use(function(ctx, next) {
      if (ctx.args.options) ctx.args.options.tenant = ctx.req.get('X-Tenant') || 'house';
      next();
    });

  app.remotes().after('**', function(ctx, next) {
    ctx.res.set('X-Booked', String(booked));
    next();
  });

  app.remotes().afterError('Room.rename', function(ctx, next) {
    ctx.error.message += ': look at the list';
    next();
  });
};
