'use strict';

module.exports = function(Room) {
  Room.validatesLengthOf('name', {min: 2, message: {min: 'is too short'}});
  Room.validatesUniquenessOf('name', {message: 'is taken'});

  Room.forPeople = function(people, cb) {
    Room.find({where: {seats: {gte: people}}, order: 'seats ASC'}, cb);
  };

  Room.remoteMethod('forPeople', {
    description: 'Rooms with enough seats, the smallest first',
    accepts: {arg: 'people', type: 'number', required: true, http: {source: 'query'}},
    returns: {arg: 'rooms', type: ['Room'], root: true},
    http: {verb: 'get', path: '/for-people'}
  });
};
