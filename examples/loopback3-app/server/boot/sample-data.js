'use strict';

module.exports = function(app, cb) {
  var Room = app.models.Room;

  Room.count(function(err, count) {
    if (err || count > 0) return cb(err);
    Room.create([
      {name: 'Aspen', floor: 1, seats: 4, equipment: ['screen'], doorCode: '2719'},
      {name: 'Birch', floor: 1, seats: 10, equipment: ['screen', 'camera'], doorCode: '8080'},
      {name: 'Cedar', floor: 2, seats: 24, equipment: ['projector'], doorCode: '5512'}
    ], cb);
  });
};
