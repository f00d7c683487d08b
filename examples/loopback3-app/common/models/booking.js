'use strict';

module.exports = function(Booking) {
  Booking.validate('to', function(err) {
    if (this.from && this.to && this.to <= this.from) err();
  }, {message: 'must be after from'});

  Booking.validateAsync('roomId', function(err, done) {
    if (this.roomId === undefined || this.roomId === null) return done();
    Booking.app.models.Room.exists(this.roomId, function(failure, exists) {
      if (failure || !exists) err();
      done();
    });
  }, {message: 'is no room'});

  // A room cannot be booked twice at the same time.
  Booking.observe('before save', function(ctx, next) {
    if (!ctx.isNewInstance || !ctx.instance.from || !ctx.instance.to) return next();
    var wanted = ctx.instance;
    Booking.count({roomId: wanted.roomId, from: {lt: wanted.to}, to: {gt: wanted.from}}, function(err, count) {
      if (err) return next(err);
      if (count === 0) return next();
      var taken = new Error('The room is taken at that time');
      taken.statusCode = 409;
      taken.code = 'ROOM_TAKEN';
      next(taken);
    });
  });

  Booking.observe('after save', function(ctx, next) {
    if (ctx.isNewInstance && ctx.instance) Booking.emit('booked', ctx.instance);
    next();
  });

  // Private bookings are only read where they are requested.
  Booking.observe('access', function(ctx, next) {
    var where = (ctx.query && ctx.query.where) || {};
    if (!JSON.stringify(where).includes('secret')) ctx.query.where = {and: [where, {secret: {neq: true}}]};
    next();
  });

  Booking.observe('loaded', function(ctx, next) {
    if (ctx.data.from && ctx.data.to) ctx.data.minutes = (ctx.data.to - ctx.data.from) / 60000;
    next();
  });

  Booking.beforeRemote('create', function(ctx, unused, next) {
    var data = ctx.args.data;
    if (data && typeof data.title === 'string') data.title = data.title.trim();
    next();
  });

  Booking.afterRemote('find', function(ctx, bookings, next) {
    ctx.res.set('X-Total', String(bookings.length));
    next();
  });

  Booking.afterRemote('count', async function(ctx, result) {
    ctx.result = {count: result.count, unit: 'bookings'};
  });

  Booking.afterRemoteError('create', function(ctx, next) {
    ctx.error.hint = 'ask for another time';
    if (ctx.error.code === 'ROOM_TAKEN') ctx.error.details = {hint: 'ask for another time'};
    next();
  });

  Booking.prototype.remind = function(to, cb) {
    var message = {from: 'rooms@example.com', to: to, subject: 'Your room', text: this.title};
    Booking.app.models.Email.send(message, function(err, info) {
      cb(err, info && info.envelope);
    });
  };

  Booking.remoteMethod('prototype.remind', {
    accepts: {arg: 'to', type: 'string', required: true},
    returns: {arg: 'envelope', type: 'object'},
    http: {verb: 'post', path: '/remind'}
  });
};
