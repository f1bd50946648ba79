// Made from schemas/config.schema.json by npm run generate.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var validate = validate20;
var schema31 = { "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://outreach-as-code.example/schemas/config.schema.json", "title": "outreach configuration", "type": "object", "additionalProperties": false, "required": ["version"], "properties": { "version": { "const": 1, "description": "The version of this format: 1." }, "service": { "type": "object", "additionalProperties": false, "description": "The service that is managed.", "properties": { "base_url": { "type": "string", "description": "The service's API base address. OUTREACH_BASE_URL, when set, wins over it.", "examples": ["https://api.example.com/api"] }, "rate_share": { "type": "string", "pattern": "^(100|[1-9][0-9]?)%$", "description": "Which part of the service's rate limit to use, to leave room for other users of the key: 1% to 100%, 100% when absent.", "examples": ["50%"] }, "api_key": { "$ref": "#/$defs/secret", "description": "Where the API key comes from: { env: OUTREACH_API_KEY } when absent." } } }, "state": { "type": "object", "additionalProperties": false, "description": "Where the state is kept.", "properties": { "backend": { "const": "local", "description": "A file on this machine." }, "path": { "type": "string", "minLength": 1, "description": "The file, relative to the configuration: outreach.state.json when absent.", "examples": ["outreach.${var.stage}.state.json"] } } }, "variables": { "type": "object", "description": "Values that differ between runs. Give them with --var NAME=VALUE, --var-file, or OUTREACH_VAR_NAME.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": ["object", "null"], "additionalProperties": false, "properties": { "default": { "type": ["string", "number", "boolean"], "description": "The value when none is given. Without it the variable must be given." }, "sensitive": { "type": "boolean", "description": "Whether values made from it are masked in output. They are stored all the same." }, "description": { "type": "string", "description": "What it is for." } } } }, "data": { "type": "object", "additionalProperties": false, "description": "Things of the service to look up. They are only read.", "properties": { "campaign": { "type": "object", "description": "Campaigns to look up, each under a name that webhooks refer to.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "One campaign, found by its id or by its name. Give exactly one of the two.", "required": [], "properties": { "id": { "description": "The campaign's id.", "examples": ["cam_000001"], "type": "string" }, "name": { "description": "The campaign's name, to the letter.", "examples": ["Q3 launch"], "type": "string" }, "status": { "description": "Narrows a name that several campaigns share to the one that is in this status. A campaign can be in several at once.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] } } } } } }, "webhooks": { "type": "object", "description": "The webhooks to manage, each under a name of yours.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "A webhook: the service sends each event of a type, or all events, as an HTTP POST to a URL. The service cannot update one, so every change deletes it and creates it anew.", "required": ["target_url"], "properties": { "target_url": { "description": "The address that receives the events: https, without user info, at most 2,048 characters. http is accepted for loopback hosts only.", "examples": ["https://crm.example.com/hooks/replies"], "type": "string" }, "type": { "description": "The event type to receive. All events when absent.", "examples": ["emailsReplied"], "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "campaign_id": { "description": "The campaign whose events are received. Those of all campaigns when absent.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "The name of a block under data.campaign, in place of its id." }, "is_first": { "description": "Whether only the first activity is delivered. Absent is the same as false.", "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "An expression." }] }, "automation_id": { "description": "An identifier of a workflow automation of yours, which the service keeps for tracking.", "type": "string" }, "secret": { "$ref": "#/$defs/secret", "description": "A shared secret that the service puts into each event, so that the receiver can tell that it is genuine. Never readable. A changed secret deletes the webhook and creates it anew." }, "allow_duplicate": { "description": "Whether an identical webhook may exist beside this one. Without it, creating a second one is an error: each event would be delivered twice.", "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "An expression." }] }, "rotation": { "description": "What comes first when the webhook is replaced: `delete_first` (default; no event is delivered in between) or `create_first` (for a moment both deliver).", "anyOf": [{ "enum": ["delete_first", "create_first"] }, { "type": "string" }] }, "protect": { "description": "Whether a delete, a destroy and every replace but that of a changed secret are refused. When the block is removed, what was applied last still governs.", "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "An expression." }] } } } } }, "$defs": { "secret": { "description": "Where a secret comes from. It is never written into the configuration.", "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1, "properties": { "env": { "type": "string", "minLength": 1, "description": "The name of an environment variable, whose value is taken as it is." }, "file": { "type": "string", "minLength": 1, "description": "A file below the configuration's folder. One final newline is stripped." }, "command": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "A program and its arguments. Of what it prints, one final newline is stripped." } } } } };
var schema32 = { "description": "Where a secret comes from. It is never written into the configuration.", "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1, "properties": { "env": { "type": "string", "minLength": 1, "description": "The name of an environment variable, whose value is taken as it is." }, "file": { "type": "string", "minLength": 1, "description": "A file below the configuration's folder. One final newline is stripped." }, "command": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "A program and its arguments. Of what it prints, one final newline is stripped." } } };
var pattern4 = new RegExp("^(100|[1-9][0-9]?)%$", "u");
var pattern5 = new RegExp("^[\\p{L}_][\\p{L}\\p{N}_-]*$", "u");
var pattern8 = new RegExp("\\$\\{", "u");
var func1 = require_ucs2length().default;
var func4 = Object.prototype.hasOwnProperty;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.version === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "version" }, message: "must have required property 'version'", schema: schema31.required, parentSchema: schema31, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "version" || key0 === "service" || key0 === "state" || key0 === "variables" || key0 === "data" || key0 === "webhooks")) {
        const err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31, data };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.version !== void 0) {
      let data0 = data.version;
      if (1 !== data0) {
        const err2 = { instancePath: instancePath + "/version", schemaPath: "#/properties/version/const", keyword: "const", params: { allowedValue: 1 }, message: "must be equal to constant", schema: 1, parentSchema: schema31.properties.version, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.service !== void 0) {
      let data1 = data.service;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        for (const key1 in data1) {
          if (!(key1 === "base_url" || key1 === "rate_share" || key1 === "api_key")) {
            const err3 = { instancePath: instancePath + "/service", schemaPath: "#/properties/service/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.service, data: data1 };
            if (vErrors === null) {
              vErrors = [err3];
            } else {
              vErrors.push(err3);
            }
            errors++;
          }
        }
        if (data1.base_url !== void 0) {
          let data2 = data1.base_url;
          if (typeof data2 !== "string") {
            const err4 = { instancePath: instancePath + "/service/base_url", schemaPath: "#/properties/service/properties/base_url/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.service.properties.base_url.type, parentSchema: schema31.properties.service.properties.base_url, data: data2 };
            if (vErrors === null) {
              vErrors = [err4];
            } else {
              vErrors.push(err4);
            }
            errors++;
          }
        }
        if (data1.rate_share !== void 0) {
          let data3 = data1.rate_share;
          if (typeof data3 === "string") {
            if (!pattern4.test(data3)) {
              const err5 = { instancePath: instancePath + "/service/rate_share", schemaPath: "#/properties/service/properties/rate_share/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9][0-9]?)%$" }, message: 'must match pattern "^(100|[1-9][0-9]?)%$"', schema: "^(100|[1-9][0-9]?)%$", parentSchema: schema31.properties.service.properties.rate_share, data: data3 };
              if (vErrors === null) {
                vErrors = [err5];
              } else {
                vErrors.push(err5);
              }
              errors++;
            }
          } else {
            const err6 = { instancePath: instancePath + "/service/rate_share", schemaPath: "#/properties/service/properties/rate_share/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.service.properties.rate_share.type, parentSchema: schema31.properties.service.properties.rate_share, data: data3 };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
        }
        if (data1.api_key !== void 0) {
          let data4 = data1.api_key;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            if (Object.keys(data4).length > 1) {
              const err7 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/maxProperties", keyword: "maxProperties", params: { limit: 1 }, message: "must NOT have more than 1 properties", schema: 1, parentSchema: schema32, data: data4 };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
            if (Object.keys(data4).length < 1) {
              const err8 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data4 };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
            for (const key2 in data4) {
              if (!(key2 === "env" || key2 === "file" || key2 === "command")) {
                const err9 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data4 };
                if (vErrors === null) {
                  vErrors = [err9];
                } else {
                  vErrors.push(err9);
                }
                errors++;
              }
            }
            if (data4.env !== void 0) {
              let data5 = data4.env;
              if (typeof data5 === "string") {
                if (func1(data5) < 1) {
                  const err10 = { instancePath: instancePath + "/service/api_key/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data5 };
                  if (vErrors === null) {
                    vErrors = [err10];
                  } else {
                    vErrors.push(err10);
                  }
                  errors++;
                }
              } else {
                const err11 = { instancePath: instancePath + "/service/api_key/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data5 };
                if (vErrors === null) {
                  vErrors = [err11];
                } else {
                  vErrors.push(err11);
                }
                errors++;
              }
            }
            if (data4.file !== void 0) {
              let data6 = data4.file;
              if (typeof data6 === "string") {
                if (func1(data6) < 1) {
                  const err12 = { instancePath: instancePath + "/service/api_key/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data6 };
                  if (vErrors === null) {
                    vErrors = [err12];
                  } else {
                    vErrors.push(err12);
                  }
                  errors++;
                }
              } else {
                const err13 = { instancePath: instancePath + "/service/api_key/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data6 };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
            }
            if (data4.command !== void 0) {
              let data7 = data4.command;
              if (Array.isArray(data7)) {
                if (data7.length < 1) {
                  const err14 = { instancePath: instancePath + "/service/api_key/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data7 };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                const len0 = data7.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data8 = data7[i0];
                  if (typeof data8 !== "string") {
                    const err15 = { instancePath: instancePath + "/service/api_key/command/" + i0, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data8 };
                    if (vErrors === null) {
                      vErrors = [err15];
                    } else {
                      vErrors.push(err15);
                    }
                    errors++;
                  }
                }
              } else {
                const err16 = { instancePath: instancePath + "/service/api_key/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data7 };
                if (vErrors === null) {
                  vErrors = [err16];
                } else {
                  vErrors.push(err16);
                }
                errors++;
              }
            }
          } else {
            const err17 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data4 };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
      } else {
        const err18 = { instancePath: instancePath + "/service", schemaPath: "#/properties/service/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.service.type, parentSchema: schema31.properties.service, data: data1 };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
    if (data.state !== void 0) {
      let data9 = data.state;
      if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
        for (const key3 in data9) {
          if (!(key3 === "backend" || key3 === "path")) {
            const err19 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.state, data: data9 };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
        if (data9.backend !== void 0) {
          let data10 = data9.backend;
          if ("local" !== data10) {
            const err20 = { instancePath: instancePath + "/state/backend", schemaPath: "#/properties/state/properties/backend/const", keyword: "const", params: { allowedValue: "local" }, message: "must be equal to constant", schema: "local", parentSchema: schema31.properties.state.properties.backend, data: data10 };
            if (vErrors === null) {
              vErrors = [err20];
            } else {
              vErrors.push(err20);
            }
            errors++;
          }
        }
        if (data9.path !== void 0) {
          let data11 = data9.path;
          if (typeof data11 === "string") {
            if (func1(data11) < 1) {
              const err21 = { instancePath: instancePath + "/state/path", schemaPath: "#/properties/state/properties/path/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.path, data: data11 };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            }
          } else {
            const err22 = { instancePath: instancePath + "/state/path", schemaPath: "#/properties/state/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.path.type, parentSchema: schema31.properties.state.properties.path, data: data11 };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
        }
      } else {
        const err23 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.state.type, parentSchema: schema31.properties.state, data: data9 };
        if (vErrors === null) {
          vErrors = [err23];
        } else {
          vErrors.push(err23);
        }
        errors++;
      }
    }
    if (data.variables !== void 0) {
      let data12 = data.variables;
      if (data12 && typeof data12 == "object" && !Array.isArray(data12)) {
        for (const key4 in data12) {
          const _errs30 = errors;
          if (typeof key4 === "string") {
            if (!pattern5.test(key4)) {
              const err24 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.variables.propertyNames, data: key4, propertyName: key4 };
              if (vErrors === null) {
                vErrors = [err24];
              } else {
                vErrors.push(err24);
              }
              errors++;
            }
          }
          var valid7 = _errs30 === errors;
          if (!valid7) {
            const err25 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames", keyword: "propertyNames", params: { propertyName: key4 }, message: "property name must be valid", schema: schema31.properties.variables.propertyNames, parentSchema: schema31.properties.variables, data: data12 };
            if (vErrors === null) {
              vErrors = [err25];
            } else {
              vErrors.push(err25);
            }
            errors++;
          }
        }
        for (const key5 in data12) {
          let data13 = data12[key5];
          if (!(data13 && typeof data13 == "object" && !Array.isArray(data13)) && data13 !== null) {
            const err26 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.type }, message: "must be object,null", schema: schema31.properties.variables.additionalProperties.type, parentSchema: schema31.properties.variables.additionalProperties, data: data13 };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
          if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
            for (const key6 in data13) {
              if (!(key6 === "default" || key6 === "sensitive" || key6 === "description")) {
                const err27 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.variables.additionalProperties, data: data13 };
                if (vErrors === null) {
                  vErrors = [err27];
                } else {
                  vErrors.push(err27);
                }
                errors++;
              }
            }
            if (data13.default !== void 0) {
              let data14 = data13.default;
              if (typeof data14 !== "string" && !(typeof data14 == "number" && isFinite(data14)) && typeof data14 !== "boolean") {
                const err28 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/default", schemaPath: "#/properties/variables/additionalProperties/properties/default/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.properties.default.type }, message: "must be string,number,boolean", schema: schema31.properties.variables.additionalProperties.properties.default.type, parentSchema: schema31.properties.variables.additionalProperties.properties.default, data: data14 };
                if (vErrors === null) {
                  vErrors = [err28];
                } else {
                  vErrors.push(err28);
                }
                errors++;
              }
            }
            if (data13.sensitive !== void 0) {
              let data15 = data13.sensitive;
              if (typeof data15 !== "boolean") {
                const err29 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/variables/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.variables.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.variables.additionalProperties.properties.sensitive, data: data15 };
                if (vErrors === null) {
                  vErrors = [err29];
                } else {
                  vErrors.push(err29);
                }
                errors++;
              }
            }
            if (data13.description !== void 0) {
              let data16 = data13.description;
              if (typeof data16 !== "string") {
                const err30 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/variables/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.variables.additionalProperties.properties.description.type, parentSchema: schema31.properties.variables.additionalProperties.properties.description, data: data16 };
                if (vErrors === null) {
                  vErrors = [err30];
                } else {
                  vErrors.push(err30);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err31 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.variables.type, parentSchema: schema31.properties.variables, data: data12 };
        if (vErrors === null) {
          vErrors = [err31];
        } else {
          vErrors.push(err31);
        }
        errors++;
      }
    }
    if (data.data !== void 0) {
      let data17 = data.data;
      if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
        for (const key7 in data17) {
          if (!(key7 === "campaign")) {
            const err32 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data, data: data17 };
            if (vErrors === null) {
              vErrors = [err32];
            } else {
              vErrors.push(err32);
            }
            errors++;
          }
        }
        if (data17.campaign !== void 0) {
          let data18 = data17.campaign;
          if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
            for (const key8 in data18) {
              const _errs46 = errors;
              if (typeof key8 === "string") {
                if (!pattern5.test(key8)) {
                  const err33 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.campaign.propertyNames, data: key8, propertyName: key8 };
                  if (vErrors === null) {
                    vErrors = [err33];
                  } else {
                    vErrors.push(err33);
                  }
                  errors++;
                }
              }
              var valid11 = _errs46 === errors;
              if (!valid11) {
                const err34 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames", keyword: "propertyNames", params: { propertyName: key8 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaign.propertyNames, parentSchema: schema31.properties.data.properties.campaign, data: data18 };
                if (vErrors === null) {
                  vErrors = [err34];
                } else {
                  vErrors.push(err34);
                }
                errors++;
              }
            }
            for (const key9 in data18) {
              let data19 = data18[key9];
              if (data19 && typeof data19 == "object" && !Array.isArray(data19)) {
                for (const key10 in data19) {
                  if (!(key10 === "id" || key10 === "name" || key10 === "status")) {
                    const err35 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data19 };
                    if (vErrors === null) {
                      vErrors = [err35];
                    } else {
                      vErrors.push(err35);
                    }
                    errors++;
                  }
                }
                if (data19.id !== void 0) {
                  let data20 = data19.id;
                  if (typeof data20 !== "string") {
                    const err36 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/id", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.id.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.id, data: data20 };
                    if (vErrors === null) {
                      vErrors = [err36];
                    } else {
                      vErrors.push(err36);
                    }
                    errors++;
                  }
                }
                if (data19.name !== void 0) {
                  let data21 = data19.name;
                  if (typeof data21 !== "string") {
                    const err37 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/name", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.name.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.name, data: data21 };
                    if (vErrors === null) {
                      vErrors = [err37];
                    } else {
                      vErrors.push(err37);
                    }
                    errors++;
                  }
                }
                if (data19.status !== void 0) {
                  let data22 = data19.status;
                  const _errs56 = errors;
                  let valid14 = false;
                  const _errs57 = errors;
                  if (!(data22 === "running" || data22 === "paused" || data22 === "draft" || data22 === "ended" || data22 === "archived" || data22 === "errors")) {
                    const err38 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0], data: data22 };
                    if (vErrors === null) {
                      vErrors = [err38];
                    } else {
                      vErrors.push(err38);
                    }
                    errors++;
                  }
                  var _valid0 = _errs57 === errors;
                  valid14 = valid14 || _valid0;
                  const _errs58 = errors;
                  if (typeof data22 !== "string") {
                    const err39 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1], data: data22 };
                    if (vErrors === null) {
                      vErrors = [err39];
                    } else {
                      vErrors.push(err39);
                    }
                    errors++;
                  }
                  var _valid0 = _errs58 === errors;
                  valid14 = valid14 || _valid0;
                  if (!valid14) {
                    const err40 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status, data: data22 };
                    if (vErrors === null) {
                      vErrors = [err40];
                    } else {
                      vErrors.push(err40);
                    }
                    errors++;
                  } else {
                    errors = _errs56;
                    if (vErrors !== null) {
                      if (_errs56) {
                        vErrors.length = _errs56;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err41 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data19 };
                if (vErrors === null) {
                  vErrors = [err41];
                } else {
                  vErrors.push(err41);
                }
                errors++;
              }
            }
          } else {
            const err42 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.type, parentSchema: schema31.properties.data.properties.campaign, data: data18 };
            if (vErrors === null) {
              vErrors = [err42];
            } else {
              vErrors.push(err42);
            }
            errors++;
          }
        }
      } else {
        const err43 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.type, parentSchema: schema31.properties.data, data: data17 };
        if (vErrors === null) {
          vErrors = [err43];
        } else {
          vErrors.push(err43);
        }
        errors++;
      }
    }
    if (data.webhooks !== void 0) {
      let data23 = data.webhooks;
      if (data23 && typeof data23 == "object" && !Array.isArray(data23)) {
        for (const key11 in data23) {
          const _errs62 = errors;
          if (typeof key11 === "string") {
            if (!pattern5.test(key11)) {
              const err44 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.webhooks.propertyNames, data: key11, propertyName: key11 };
              if (vErrors === null) {
                vErrors = [err44];
              } else {
                vErrors.push(err44);
              }
              errors++;
            }
          }
          var valid15 = _errs62 === errors;
          if (!valid15) {
            const err45 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key11 }, message: "property name must be valid", schema: schema31.properties.webhooks.propertyNames, parentSchema: schema31.properties.webhooks, data: data23 };
            if (vErrors === null) {
              vErrors = [err45];
            } else {
              vErrors.push(err45);
            }
            errors++;
          }
        }
        for (const key12 in data23) {
          let data24 = data23[key12];
          if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
            if (data24.target_url === void 0) {
              const err46 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/required", keyword: "required", params: { missingProperty: "target_url" }, message: "must have required property 'target_url'", schema: schema31.properties.webhooks.additionalProperties.required, parentSchema: schema31.properties.webhooks.additionalProperties, data: data24 };
              if (vErrors === null) {
                vErrors = [err46];
              } else {
                vErrors.push(err46);
              }
              errors++;
            }
            for (const key13 in data24) {
              if (!func4.call(schema31.properties.webhooks.additionalProperties.properties, key13)) {
                const err47 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key13 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.webhooks.additionalProperties, data: data24 };
                if (vErrors === null) {
                  vErrors = [err47];
                } else {
                  vErrors.push(err47);
                }
                errors++;
              }
            }
            if (data24.target_url !== void 0) {
              let data25 = data24.target_url;
              if (typeof data25 !== "string") {
                const err48 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/target_url", schemaPath: "#/properties/webhooks/additionalProperties/properties/target_url/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.target_url.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.target_url, data: data25 };
                if (vErrors === null) {
                  vErrors = [err48];
                } else {
                  vErrors.push(err48);
                }
                errors++;
              }
            }
            if (data24.type !== void 0) {
              let data26 = data24.type;
              const _errs70 = errors;
              let valid18 = false;
              const _errs71 = errors;
              if (!(data26 === "contacted" || data26 === "hooked" || data26 === "attracted" || data26 === "warmed" || data26 === "interested" || data26 === "notInterested" || data26 === "emailsSent" || data26 === "emailsOpened" || data26 === "emailsClicked" || data26 === "emailsReplied" || data26 === "emailsBounced" || data26 === "emailsFailed" || data26 === "emailsInterested" || data26 === "emailsNotInterested" || data26 === "emailsUnsubscribed" || data26 === "networkSent" || data26 === "networkOpened" || data26 === "networkReplied" || data26 === "networkInterested" || data26 === "networkNotInterested" || data26 === "networkSendFailed" || data26 === "networkVisitDone" || data26 === "networkVisitFailed" || data26 === "networkFollowDone" || data26 === "networkFollowFailed" || data26 === "networkFollowSkipped" || data26 === "networkInviteDone" || data26 === "networkInviteFailed" || data26 === "networkInviteAccepted" || data26 === "networkEndorseDone" || data26 === "networkEndorseFailed" || data26 === "networkEndorseSkipped" || data26 === "networkVoiceNoteDone" || data26 === "networkVoiceNoteFailed" || data26 === "networkLikeLastPostDone" || data26 === "networkLikeLastPostNoPost" || data26 === "networkLikeLastPostFailed" || data26 === "networkWithdrawInvitationDone" || data26 === "networkWithdrawInvitationFailed" || data26 === "chatMessageSent" || data26 === "chatMessageDelivered" || data26 === "chatMessageOpened" || data26 === "chatReplied" || data26 === "chatMessageFailed" || data26 === "smsSent" || data26 === "smsDelivered" || data26 === "smsReplied" || data26 === "smsFailed" || data26 === "dialerCreated" || data26 === "dialerEnded" || data26 === "dialerDone" || data26 === "dialerInterested" || data26 === "dialerNotInterested" || data26 === "callRecordingDone" || data26 === "callTranscriptDone" || data26 === "apiDone" || data26 === "apiInterested" || data26 === "apiNotInterested" || data26 === "apiFailed" || data26 === "manualInterested" || data26 === "manualNotInterested" || data26 === "annotated" || data26 === "paused" || data26 === "resumed" || data26 === "stopped" || data26 === "campaignComplete" || data26 === "customDomainErrors" || data26 === "connectionIssue" || data26 === "sendLimitReached" || data26 === "warmupPaused" || data26 === "enrichmentDone" || data26 === "enrichmentError" || data26 === "inboxLabelUpdated" || data26 === "signalRegistered" || data26 === "deliverabilityAlertTriggered")) {
                const err49 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0], data: data26 };
                if (vErrors === null) {
                  vErrors = [err49];
                } else {
                  vErrors.push(err49);
                }
                errors++;
              }
              var _valid1 = _errs71 === errors;
              valid18 = valid18 || _valid1;
              const _errs72 = errors;
              if (typeof data26 !== "string") {
                const err50 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1], data: data26 };
                if (vErrors === null) {
                  vErrors = [err50];
                } else {
                  vErrors.push(err50);
                }
                errors++;
              }
              var _valid1 = _errs72 === errors;
              valid18 = valid18 || _valid1;
              if (!valid18) {
                const err51 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type, data: data26 };
                if (vErrors === null) {
                  vErrors = [err51];
                } else {
                  vErrors.push(err51);
                }
                errors++;
              } else {
                errors = _errs70;
                if (vErrors !== null) {
                  if (_errs70) {
                    vErrors.length = _errs70;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data24.campaign_id !== void 0) {
              let data27 = data24.campaign_id;
              if (typeof data27 !== "string") {
                const err52 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign_id, data: data27 };
                if (vErrors === null) {
                  vErrors = [err52];
                } else {
                  vErrors.push(err52);
                }
                errors++;
              }
            }
            if (data24.campaign !== void 0) {
              let data28 = data24.campaign;
              if (typeof data28 !== "string") {
                const err53 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign, data: data28 };
                if (vErrors === null) {
                  vErrors = [err53];
                } else {
                  vErrors.push(err53);
                }
                errors++;
              }
            }
            if (data24.is_first !== void 0) {
              let data29 = data24.is_first;
              const _errs79 = errors;
              let valid19 = false;
              const _errs80 = errors;
              if (typeof data29 !== "boolean") {
                const err54 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0], data: data29 };
                if (vErrors === null) {
                  vErrors = [err54];
                } else {
                  vErrors.push(err54);
                }
                errors++;
              }
              var _valid2 = _errs80 === errors;
              valid19 = valid19 || _valid2;
              const _errs82 = errors;
              if (typeof data29 === "string") {
                if (!pattern8.test(data29)) {
                  const err55 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data29 };
                  if (vErrors === null) {
                    vErrors = [err55];
                  } else {
                    vErrors.push(err55);
                  }
                  errors++;
                }
              } else {
                const err56 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data29 };
                if (vErrors === null) {
                  vErrors = [err56];
                } else {
                  vErrors.push(err56);
                }
                errors++;
              }
              var _valid2 = _errs82 === errors;
              valid19 = valid19 || _valid2;
              if (!valid19) {
                const err57 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first, data: data29 };
                if (vErrors === null) {
                  vErrors = [err57];
                } else {
                  vErrors.push(err57);
                }
                errors++;
              } else {
                errors = _errs79;
                if (vErrors !== null) {
                  if (_errs79) {
                    vErrors.length = _errs79;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data24.automation_id !== void 0) {
              let data30 = data24.automation_id;
              if (typeof data30 !== "string") {
                const err58 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/automation_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/automation_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.automation_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.automation_id, data: data30 };
                if (vErrors === null) {
                  vErrors = [err58];
                } else {
                  vErrors.push(err58);
                }
                errors++;
              }
            }
            if (data24.secret !== void 0) {
              let data31 = data24.secret;
              if (data31 && typeof data31 == "object" && !Array.isArray(data31)) {
                if (Object.keys(data31).length > 1) {
                  const err59 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/maxProperties", keyword: "maxProperties", params: { limit: 1 }, message: "must NOT have more than 1 properties", schema: 1, parentSchema: schema32, data: data31 };
                  if (vErrors === null) {
                    vErrors = [err59];
                  } else {
                    vErrors.push(err59);
                  }
                  errors++;
                }
                if (Object.keys(data31).length < 1) {
                  const err60 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data31 };
                  if (vErrors === null) {
                    vErrors = [err60];
                  } else {
                    vErrors.push(err60);
                  }
                  errors++;
                }
                for (const key14 in data31) {
                  if (!(key14 === "env" || key14 === "file" || key14 === "command")) {
                    const err61 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key14 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data31 };
                    if (vErrors === null) {
                      vErrors = [err61];
                    } else {
                      vErrors.push(err61);
                    }
                    errors++;
                  }
                }
                if (data31.env !== void 0) {
                  let data32 = data31.env;
                  if (typeof data32 === "string") {
                    if (func1(data32) < 1) {
                      const err62 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data32 };
                      if (vErrors === null) {
                        vErrors = [err62];
                      } else {
                        vErrors.push(err62);
                      }
                      errors++;
                    }
                  } else {
                    const err63 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data32 };
                    if (vErrors === null) {
                      vErrors = [err63];
                    } else {
                      vErrors.push(err63);
                    }
                    errors++;
                  }
                }
                if (data31.file !== void 0) {
                  let data33 = data31.file;
                  if (typeof data33 === "string") {
                    if (func1(data33) < 1) {
                      const err64 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data33 };
                      if (vErrors === null) {
                        vErrors = [err64];
                      } else {
                        vErrors.push(err64);
                      }
                      errors++;
                    }
                  } else {
                    const err65 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data33 };
                    if (vErrors === null) {
                      vErrors = [err65];
                    } else {
                      vErrors.push(err65);
                    }
                    errors++;
                  }
                }
                if (data31.command !== void 0) {
                  let data34 = data31.command;
                  if (Array.isArray(data34)) {
                    if (data34.length < 1) {
                      const err66 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data34 };
                      if (vErrors === null) {
                        vErrors = [err66];
                      } else {
                        vErrors.push(err66);
                      }
                      errors++;
                    }
                    const len1 = data34.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      let data35 = data34[i1];
                      if (typeof data35 !== "string") {
                        const err67 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command/" + i1, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data35 };
                        if (vErrors === null) {
                          vErrors = [err67];
                        } else {
                          vErrors.push(err67);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err68 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data34 };
                    if (vErrors === null) {
                      vErrors = [err68];
                    } else {
                      vErrors.push(err68);
                    }
                    errors++;
                  }
                }
              } else {
                const err69 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data31 };
                if (vErrors === null) {
                  vErrors = [err69];
                } else {
                  vErrors.push(err69);
                }
                errors++;
              }
            }
            if (data24.allow_duplicate !== void 0) {
              let data36 = data24.allow_duplicate;
              const _errs99 = errors;
              let valid24 = false;
              const _errs100 = errors;
              if (typeof data36 !== "boolean") {
                const err70 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0], data: data36 };
                if (vErrors === null) {
                  vErrors = [err70];
                } else {
                  vErrors.push(err70);
                }
                errors++;
              }
              var _valid3 = _errs100 === errors;
              valid24 = valid24 || _valid3;
              const _errs102 = errors;
              if (typeof data36 === "string") {
                if (!pattern8.test(data36)) {
                  const err71 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data36 };
                  if (vErrors === null) {
                    vErrors = [err71];
                  } else {
                    vErrors.push(err71);
                  }
                  errors++;
                }
              } else {
                const err72 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data36 };
                if (vErrors === null) {
                  vErrors = [err72];
                } else {
                  vErrors.push(err72);
                }
                errors++;
              }
              var _valid3 = _errs102 === errors;
              valid24 = valid24 || _valid3;
              if (!valid24) {
                const err73 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate, data: data36 };
                if (vErrors === null) {
                  vErrors = [err73];
                } else {
                  vErrors.push(err73);
                }
                errors++;
              } else {
                errors = _errs99;
                if (vErrors !== null) {
                  if (_errs99) {
                    vErrors.length = _errs99;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data24.rotation !== void 0) {
              let data37 = data24.rotation;
              const _errs105 = errors;
              let valid25 = false;
              const _errs106 = errors;
              if (!(data37 === "delete_first" || data37 === "create_first")) {
                const err74 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0], data: data37 };
                if (vErrors === null) {
                  vErrors = [err74];
                } else {
                  vErrors.push(err74);
                }
                errors++;
              }
              var _valid4 = _errs106 === errors;
              valid25 = valid25 || _valid4;
              const _errs107 = errors;
              if (typeof data37 !== "string") {
                const err75 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1], data: data37 };
                if (vErrors === null) {
                  vErrors = [err75];
                } else {
                  vErrors.push(err75);
                }
                errors++;
              }
              var _valid4 = _errs107 === errors;
              valid25 = valid25 || _valid4;
              if (!valid25) {
                const err76 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation, data: data37 };
                if (vErrors === null) {
                  vErrors = [err76];
                } else {
                  vErrors.push(err76);
                }
                errors++;
              } else {
                errors = _errs105;
                if (vErrors !== null) {
                  if (_errs105) {
                    vErrors.length = _errs105;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data24.protect !== void 0) {
              let data38 = data24.protect;
              const _errs110 = errors;
              let valid26 = false;
              const _errs111 = errors;
              if (typeof data38 !== "boolean") {
                const err77 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0], data: data38 };
                if (vErrors === null) {
                  vErrors = [err77];
                } else {
                  vErrors.push(err77);
                }
                errors++;
              }
              var _valid5 = _errs111 === errors;
              valid26 = valid26 || _valid5;
              const _errs113 = errors;
              if (typeof data38 === "string") {
                if (!pattern8.test(data38)) {
                  const err78 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data38 };
                  if (vErrors === null) {
                    vErrors = [err78];
                  } else {
                    vErrors.push(err78);
                  }
                  errors++;
                }
              } else {
                const err79 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data38 };
                if (vErrors === null) {
                  vErrors = [err79];
                } else {
                  vErrors.push(err79);
                }
                errors++;
              }
              var _valid5 = _errs113 === errors;
              valid26 = valid26 || _valid5;
              if (!valid26) {
                const err80 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect, data: data38 };
                if (vErrors === null) {
                  vErrors = [err80];
                } else {
                  vErrors.push(err80);
                }
                errors++;
              } else {
                errors = _errs110;
                if (vErrors !== null) {
                  if (_errs110) {
                    vErrors.length = _errs110;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
          } else {
            const err81 = { instancePath: instancePath + "/webhooks/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.webhooks.additionalProperties, data: data24 };
            if (vErrors === null) {
              vErrors = [err81];
            } else {
              vErrors.push(err81);
            }
            errors++;
          }
        }
      } else {
        const err82 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.type, parentSchema: schema31.properties.webhooks, data: data23 };
        if (vErrors === null) {
          vErrors = [err82];
        } else {
          vErrors.push(err82);
        }
        errors++;
      }
    }
  } else {
    const err83 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.type, parentSchema: schema31, data };
    if (vErrors === null) {
      vErrors = [err83];
    } else {
      vErrors.push(err83);
    }
    errors++;
  }
  validate20.errors = vErrors;
  return errors === 0;
}
validate20.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
export {
  validate
};
