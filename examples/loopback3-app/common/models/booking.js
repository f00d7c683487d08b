'use strict';

module.exports = function(Booking) {
  Booking.validate('to', function(err) {
    if (this.from && this.to && this.to <= this.from) err();
  }, {message: 'must be after from'});

  // Nobody books a room that somebody else has at that time.
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
};
