'use strict';

module.exports = function(Room) {
  Room.validatesLengthOf('name', {min: 2, max: 20, message: {min: 'is too short', max: 'is too long'}});
  Room.validatesUniquenessOf('name', {message: 'is taken'});
  Room.validatesNumericalityOf('seats', {int: true, message: {int: 'is not a whole number'}});
  Room.validate('seats', function(err) {
    if (this.seats < 1) err();
  }, {message: 'must be at least 1'});

  // A booked room cannot be deleted.
  Room.observe('before delete', function(ctx, next) {
    Room.find({where: ctx.where, fields: {id: true}}, function(err, rooms) {
      if (err) return next(err);
      var ids = rooms.map(function(room) { return room.id; });
      Room.app.models.Booking.count({roomId: {inq: ids}}, function(err, count) {
        if (err || count === 0) return next(err);
        var booked = new Error('The room is booked');
        booked.statusCode = 409;
        booked.code = 'ROOM_BOOKED';
        next(booked);
      });
    });
  });

  Room.forPeople = function(people, cb) {
    Room.find({where: {seats: {gte: people}}, order: 'seats ASC'}, cb);
  };

  Room.remoteMethod('forPeople', {
    description: 'Rooms with enough seats, the smallest first',
    accepts: {arg: 'people', type: 'number', required: true, http: {source: 'query'}},
    returns: {arg: 'rooms', type: ['Room'], root: true},
    http: {verb: 'get', path: '/for-people'}
  });

  Room.onFloor = function(floor) {
    return Room.find({where: {floor: floor}, order: 'name'});
  };

  Room.remoteMethod('onFloor', {
    description: 'Rooms of a floor, with a promise',
    accepts: {arg: 'floor', type: 'number', required: true, http: {source: 'path'}},
    returns: {arg: 'rooms', type: ['Room']},
    http: {verb: 'get', path: '/floors/:floor'}
  });

  Room.rename = function(id, name, cb) {
    Room.findById(id, function(err, room) {
      if (err) return cb(err);
      if (!room) {
        var missing = new Error('There is no such room');
        missing.statusCode = 404;
        missing.code = 'NO_ROOM';
        return cb(missing);
      }
      room.updateAttributes({name: name}, cb);
    });
  };

  Room.remoteMethod('rename', {
    accepts: [
      {arg: 'id', type: 'number', required: true, http: {source: 'form'}},
      {arg: 'name', type: 'string', required: true, http: {source: 'form'}}
    ],
    returns: {arg: 'room', type: 'Room', root: true},
    http: {verb: 'post', path: '/rename'}
  });

  Room.check = function(room) {
    var built = new Room(room);
    return new Promise(function(resolve) {
      built.isValid(function(valid) {
        resolve({valid: valid, problems: built.errors ? built.errors.codes : {}});
      });
    });
  };

  Room.remoteMethod('check', {
    description: 'What would be wrong with a room, without storing it',
    accepts: {arg: 'room', type: 'object', required: true, http: {source: 'body'}},
    returns: {arg: 'result', type: 'object', root: true},
    http: {verb: 'post', path: '/check'}
  });

  Room.language = function(language, cb) {
    cb(null, language ? String(language).split(',')[0] : 'any');
  };

  Room.remoteMethod('language', {
    accepts: {arg: 'accept-language', type: 'string', http: {source: 'header'}},
    returns: {arg: 'language', type: 'string'},
    http: {verb: 'get', path: '/language'}
  });

  Room.request = function(req, cb) {
    cb(null, {method: req.method, client: req.get('X-Client'), page: req.query.page, url: req.originalUrl});
  };

  Room.remoteMethod('request', {
    accepts: {arg: 'req', type: 'object', http: {source: 'req'}},
    returns: {arg: 'seen', type: 'object', root: true},
    http: {verb: 'get', path: '/request'}
  });

  Room.sign = function(name, res) {
    res.set('X-Sign', 'door').status(201).type('text').send('Room ' + name);
  };

  Room.remoteMethod('sign', {
    description: 'Answers through the response itself',
    accepts: [
      {arg: 'name', type: 'string', required: true},
      {arg: 'res', type: 'object', http: {source: 'res'}}
    ],
    http: {verb: 'get', path: '/sign'}
  });

  Room.describe = function(ctx, cb) {
    cb(null, {method: ctx.method.name, called: ctx.methodString, verb: ctx.req.method, args: Object.keys(ctx.args)});
  };

  Room.remoteMethod('describe', {
    accepts: {arg: 'ctx', type: 'object', http: {source: 'context'}},
    returns: {arg: 'call', type: 'object'},
    http: {verb: 'get', path: '/describe'}
  });

  Room.order = function(what, count, cb) {
    cb(null, {what: what, count: count, type: typeof count});
  };

  Room.remoteMethod('order', {
    accepts: [
      {arg: 'what', type: 'string', required: true, http: {source: 'formData'}},
      {arg: 'count', type: 'number', http: {source: 'formData'}}
    ],
    returns: {arg: 'order', type: 'object', root: true},
    http: {verb: 'post', path: '/order'}
  });

  Room.visitor = function(words, options, cb) {
    cb(null, {words: words, token: options.accessToken || 'none', tenant: options.tenant});
  };

  Room.remoteMethod('visitor', {
    accepts: [
      {arg: 'words', type: ['string']},
      {arg: 'options', type: 'object', http: 'optionsFromRequest'}
    ],
    returns: {arg: 'visitor', type: 'object', root: true},
    http: {verb: 'get', path: '/visitor'}
  });

  Room.agent = function(agent, cb) {
    cb(null, agent);
  };

  Room.remoteMethod('agent', {
    description: 'An argument that a function finds in the request',
    accepts: {arg: 'agent', type: 'string', http: function(ctx) { return ctx.req.get('X-Client') || 'nobody'; }},
    returns: {arg: 'agent', type: 'string'},
    http: {verb: 'get', path: '/agent'}
  });

  Room.export = function(cb) {
    Room.find({order: 'id'}, function(err, rooms) {
      if (err) return cb(err);
      var lines = rooms.map(function(room) { return room.id + ';' + room.name; });
      cb(null, lines.join('\n') + '\n', 'text/csv', 203);
    });
  };

  Room.remoteMethod('export', {
    returns: [
      {arg: 'body', type: 'file', root: true},
      {arg: 'Content-Type', type: 'string', http: {target: 'header'}},
      {arg: 'status', type: 'number', http: {target: 'status'}}
    ],
    http: {verb: 'get', path: '/export'}
  });

  Room.fail = function(how, cb) {
    if (how === 'throw') throw new Error('thrown');
    if (how === 'reject') return Promise.reject(Object.assign(new Error('rejected'), {statusCode: 418, code: 'TEAPOT'}));
    if (how === 'text') return cb('only a text');
    if (how === 'details') {
      return cb(Object.assign(new Error('with details'), {statusCode: 422, name: 'Oops', details: {floor: 'is full'}}));
    }
    cb(new Error('called back'));
  };

  Room.remoteMethod('fail', {
    accepts: {arg: 'how', type: 'string'},
    http: {verb: 'get', path: '/fail', errorStatus: 503}
  });

  // Declared in room.json.
  Room.prototype.seatsFor = function(people, cb) {
    cb(null, this.seats >= people, this.seats - people);
  };
};
