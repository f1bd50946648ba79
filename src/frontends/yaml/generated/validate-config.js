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
var schema31 = { "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://outreach-as-code.example/schemas/config.schema.json", "title": "outreach configuration", "type": "object", "additionalProperties": false, "required": ["version"], "properties": { "version": { "const": 1, "description": "Version of this format: 1." }, "service": { "type": "object", "additionalProperties": false, "description": "The service to manage.", "properties": { "base_url": { "type": "string", "description": "Base address of the service's API. OUTREACH_BASE_URL takes precedence over it.", "examples": ["https://api.example.com/api"] }, "rate_share": { "type": "string", "pattern": "^(100|[1-9][0-9]?)%$", "description": "Share of the service's rate limit to use: 1% to 100%. A smaller share leaves room for other users of the key.", "default": "100%", "examples": ["50%"] }, "api_key": { "$ref": "#/$defs/secret", "description": "Source of the API key.", "default": { "env": "OUTREACH_API_KEY" } } } }, "state": { "type": "object", "additionalProperties": false, "description": "Where to store the state.", "properties": { "backend": { "const": "local", "description": "Local file.", "default": "local" }, "path": { "type": "string", "minLength": 1, "description": "Path of the file, relative to the configuration.", "default": "outreach.state.json", "examples": ["outreach.${var.stage}.state.json"] } } }, "variables": { "type": "object", "description": "Values that differ between runs. Set them with --var NAME=VALUE, --var-file, or OUTREACH_VAR_NAME.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": ["object", "null"], "additionalProperties": false, "properties": { "default": { "type": ["string", "number", "boolean"], "description": "Value if none is set. Without a default, the variable is required." }, "sensitive": { "type": "boolean", "default": false, "description": "Whether to mask values that contain it in output. The state still stores them." }, "description": { "type": "string", "description": "Purpose, for readers." } } } }, "data": { "type": "object", "additionalProperties": false, "description": "Objects of the service to look up. outreach only reads them.", "properties": { "campaign": { "type": "object", "description": "Campaigns to look up, by name.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads one campaign by its id or its name. Set exactly one of them.", "required": [], "properties": { "id": { "description": "Id of the campaign.", "examples": ["cam_000001"], "type": "string" }, "name": { "description": "Exact name of the campaign.", "examples": ["Q3 launch"], "type": "string" }, "status": { "description": "Status, if several campaigns have the same name. A campaign can have several.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] } } } }, "campaigns": { "type": "object", "description": "Filters that find campaigns, by name. A block refers to one with campaigns.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the campaigns of the team that match every filter. Without a filter, it reads all campaigns.", "required": [], "properties": { "status": { "description": "Only campaigns with this status. A campaign can have several.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] }, "created_by": { "description": "Only campaigns that this user created.", "examples": ["usr_000001"], "type": "string" }, "labels": { "description": "Only campaigns with all of these labels.", "type": "array", "items": { "type": "string" } }, "name_regex": { "description": "Only campaigns whose name contains a match of this JavaScript regular expression.", "examples": ["^Q[34] "], "type": "string" }, "sort_order": { "description": "Order by creation time: `asc` (default) or `desc`.", "anyOf": [{ "enum": ["asc", "desc"] }, { "type": "string" }] } } } }, "schedules": { "type": "object", "description": "Schedules of campaigns to look up.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the schedules of a campaign: when it sends.", "required": [], "properties": { "campaign_id": { "description": "Id of the campaign.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." } } } }, "warmup_settings": { "type": "object", "description": "Warm-up settings of mailboxes to look up.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the warm-up settings of a mailbox. The service documents two sets of fields; a field that an answer omits is null.", "required": ["user_mailbox_id"], "properties": { "user_mailbox_id": { "description": "Id of the mailbox.", "examples": ["usm_000001"], "type": "string" } } } }, "webhooks": { "type": "object", "description": "Live webhooks, managed or not.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads all live webhooks of the team, managed or not. The service never returns secrets.", "required": [], "properties": {} } } } }, "webhooks": { "type": "object", "description": "Webhooks to manage, by name.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Manages a webhook. The service sends each event of a type, or all events, as an HTTP POST to a URL. It cannot update a webhook, so every change replaces it.", "required": ["target_url"], "properties": { "target_url": { "description": "URL that receives the events: https, without user info, at most 2,048 characters. http is valid only for loopback hosts.", "examples": ["https://crm.example.com/hooks/replies"], "type": "string" }, "type": { "description": "Event type to receive. Default: all events.", "examples": ["emailsReplied"], "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "types": { "type": "array", "description": "Fan-out over event types: one webhook per type.", "items": { "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "examples": [["emailsReplied"]] }, "campaign_id": { "description": "Campaign whose events to receive. Default: all campaigns.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." }, "campaigns": { "type": ["string", "array"], "description": "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.", "items": { "type": "string" } }, "is_first": { "description": "Whether to deliver only the first activity. Default: false.", "default": false, "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "automation_id": { "description": "Identifier of your workflow automation. The service stores it for tracking.", "type": "string" }, "secret": { "$ref": "#/$defs/secret", "description": "Shared secret. The service adds it to each event, so the receiver can verify that the event is genuine. The service never returns it. A new secret replaces the webhook." }, "allow_duplicate": { "description": "Whether to allow a duplicate of this webhook. Default: false. A duplicate delivers every event twice, so creating one is otherwise an error.", "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "rotation": { "description": "Order of a replace: `delete_first` (default; no event is delivered in between) or `create_first` (for a moment both deliver).", "default": "delete_first", "anyOf": [{ "enum": ["delete_first", "create_first"] }, { "type": "string" }] }, "protect": { "description": "Whether to block a delete, a destroy, and every replace except one for a new secret. If you remove the block, the last applied value still applies.", "default": false, "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "allow_empty": { "type": "boolean", "default": false, "description": "Whether to allow an empty list or filter. Otherwise it is an error." }, "prune": { "type": "boolean", "default": false, "description": "Whether to delete the webhooks of a campaign that leaves the filter. Otherwise outreach keeps them, with a note." } } } }, "lead_unsubscriptions": { "type": "object", "description": "Leads to unsubscribe from campaigns, as named lists. The service cannot undo it.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Unsubscribes a lead from a campaign. The service cannot undo it: if you remove the declaration, it is only forgotten.", "required": [], "properties": { "campaign_id": { "description": "Campaign to unsubscribe the lead from.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." }, "campaigns": { "type": ["string", "array"], "description": "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.", "items": { "type": "string" } }, "email": { "description": "Email address of the lead. Case does not matter.", "examples": ["ada@example.com"], "type": "string" }, "emails": { "type": "array", "description": "Email addresses of the leads. Case does not matter, and duplicates count once.", "items": { "type": "string" }, "examples": [["ada@example.com"]] }, "emails_from": { "type": "string", "minLength": 1, "description": "File with more addresses, in the configuration's folder or below it: one address per line, or a CSV with an email column. At most 50 MB.", "examples": ["suppressions/2026-11.csv"] }, "on_not_found": { "description": "Result if the campaign has no such lead. `warn` (default) records it as done with a warning. `error` fails. `retry` fails, and every apply tries again until the lead exists.", "default": "warn", "anyOf": [{ "enum": ["warn", "error", "retry"] }, { "type": "string" }] }, "allow_empty": { "type": "boolean", "default": false, "description": "Whether to allow an empty list or filter. Otherwise it is an error." }, "prune": { "type": "boolean", "default": false, "description": "Whether to delete the webhooks of a campaign that leaves the filter. Otherwise outreach keeps them, with a note." } } } }, "imports": { "type": "array", "description": "Existing objects of the service to manage. An object that is already in the state stays as it is.", "items": { "type": "object", "additionalProperties": false, "required": ["to", "id"], "properties": { "to": { "type": "string", "minLength": 1, "description": "Address that declares the object.", "examples": ["outreach_webhook.crm-replies"] }, "id": { "type": "string", "minLength": 1, "description": "Id of the webhook, or CAMPAIGN_ID/EMAIL of an unsubscription that is already done.", "examples": ["hoo_000001"] } } } }, "moved": { "type": "array", "description": "Blocks and instances with a new address. The state keeps their objects, at the new address.", "items": { "type": "object", "additionalProperties": false, "required": ["from", "to"], "properties": { "from": { "type": "string", "minLength": 1, "description": "Old address of a block or an instance.", "examples": ["outreach_webhook.crm"] }, "to": { "type": "string", "minLength": 1, "description": "New address.", "examples": ["outreach_webhook.crm-replies"] } } } }, "removed": { "type": "array", "description": "Blocks that you no longer declare, and whether to delete their objects.", "items": { "type": "object", "additionalProperties": false, "required": ["from"], "properties": { "from": { "type": "string", "minLength": 1, "description": "Address of the block. It includes all instances.", "examples": ["outreach_webhook.audit"] }, "destroy": { "type": "boolean", "default": true, "description": "Whether to delete the objects in the service. If false, outreach only forgets them." } } } }, "outputs": { "type": "object", "description": "Values to show after an apply. The state stores them for outreach output.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": ["string", "number", "boolean", "array", "object"], "description": "Expression, or a map with value, sensitive and description.", "items": { "type": ["string", "number", "boolean"] }, "additionalProperties": false, "properties": { "value": { "type": ["string", "number", "boolean", "array"], "items": { "type": ["string", "number", "boolean"] }, "description": "Value to show.", "examples": ["${data.outreach_campaign.q3.id}"] }, "sensitive": { "type": "boolean", "default": false, "description": "Whether to mask it in the list of all outputs. A value from a sensitive variable is always masked." }, "description": { "type": "string", "description": "Purpose, for readers." } }, "examples": ["${data.outreach_campaign.q3.id}"] } }, "limits": { "type": "object", "additionalProperties": false, "description": "Limits of one apply. A plan that exceeds a limit fails, and names the flag that allows it.", "properties": { "delete": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum deletes, as a number or a percentage of the managed webhooks. Default: a plan fails if it deletes more than 3 and more than 30%.", "examples": ["30%"] }, "replace": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum webhooks to replace for another reason than a new secret, as a number or a percentage. Default: a plan fails if it replaces more than 3 and more than 30%.", "examples": ["30%"] }, "recreate": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum missing webhooks to create again, as a number or a percentage. Default: a plan fails if more than 3 and more than 20% are missing.", "examples": ["20%"] }, "unsubscribe": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum unsubscriptions of a plan that nobody approves by typing yes: with --auto-approve, and of a saved plan.", "examples": [50], "default": 100 } } } }, "$defs": { "secret": { "description": "Source of a secret. The configuration never contains the secret.", "type": "object", "additionalProperties": false, "minProperties": 1, "not": { "anyOf": [{ "required": ["env", "file"] }, { "required": ["env", "command"] }, { "required": ["file", "command"] }] }, "properties": { "env": { "type": "string", "minLength": 1, "description": "Name of an environment variable. Its value is used unchanged." }, "file": { "type": "string", "minLength": 1, "description": "File in the configuration's folder, or below it. One final newline is stripped." }, "command": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "Program and its arguments. One final newline of its output is stripped." } } } } };
var schema32 = { "description": "Source of a secret. The configuration never contains the secret.", "type": "object", "additionalProperties": false, "minProperties": 1, "not": { "anyOf": [{ "required": ["env", "file"] }, { "required": ["env", "command"] }, { "required": ["file", "command"] }] }, "properties": { "env": { "type": "string", "minLength": 1, "description": "Name of an environment variable. Its value is used unchanged." }, "file": { "type": "string", "minLength": 1, "description": "File in the configuration's folder, or below it. One final newline is stripped." }, "command": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "Program and its arguments. One final newline of its output is stripped." } } };
var func1 = Object.prototype.hasOwnProperty;
var func2 = require_ucs2length().default;
var pattern4 = new RegExp("^(100|[1-9][0-9]?)%$", "u");
var pattern5 = new RegExp("^[\\p{L}_][\\p{L}\\p{N}_-]*$", "u");
var pattern12 = new RegExp("\\$\\{", "u");
var pattern17 = new RegExp("^(100|[1-9]?[0-9])%$", "u");
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
      if (!func1.call(schema31.properties, key0)) {
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
          const _errs13 = errors;
          const _errs14 = errors;
          const _errs15 = errors;
          let valid4 = false;
          const _errs16 = errors;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            let missing0;
            if (data4.env === void 0 && (missing0 = "env") || data4.file === void 0 && (missing0 = "file")) {
              const err7 = {};
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
          }
          var _valid0 = _errs16 === errors;
          valid4 = valid4 || _valid0;
          const _errs17 = errors;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            let missing1;
            if (data4.env === void 0 && (missing1 = "env") || data4.command === void 0 && (missing1 = "command")) {
              const err8 = {};
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          }
          var _valid0 = _errs17 === errors;
          valid4 = valid4 || _valid0;
          const _errs18 = errors;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            let missing2;
            if (data4.file === void 0 && (missing2 = "file") || data4.command === void 0 && (missing2 = "command")) {
              const err9 = {};
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          }
          var _valid0 = _errs18 === errors;
          valid4 = valid4 || _valid0;
          if (!valid4) {
            const err10 = {};
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          } else {
            errors = _errs15;
            if (vErrors !== null) {
              if (_errs15) {
                vErrors.length = _errs15;
              } else {
                vErrors = null;
              }
            }
          }
          var valid3 = _errs14 === errors;
          if (valid3) {
            const err11 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data4 };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          } else {
            errors = _errs13;
            if (vErrors !== null) {
              if (_errs13) {
                vErrors.length = _errs13;
              } else {
                vErrors = null;
              }
            }
          }
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            if (Object.keys(data4).length < 1) {
              const err12 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data4 };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            for (const key2 in data4) {
              if (!(key2 === "env" || key2 === "file" || key2 === "command")) {
                const err13 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data4 };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
            }
            if (data4.env !== void 0) {
              let data5 = data4.env;
              if (typeof data5 === "string") {
                if (func2(data5) < 1) {
                  const err14 = { instancePath: instancePath + "/service/api_key/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data5 };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
              } else {
                const err15 = { instancePath: instancePath + "/service/api_key/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data5 };
                if (vErrors === null) {
                  vErrors = [err15];
                } else {
                  vErrors.push(err15);
                }
                errors++;
              }
            }
            if (data4.file !== void 0) {
              let data6 = data4.file;
              if (typeof data6 === "string") {
                if (func2(data6) < 1) {
                  const err16 = { instancePath: instancePath + "/service/api_key/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data6 };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
              } else {
                const err17 = { instancePath: instancePath + "/service/api_key/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data6 };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
            if (data4.command !== void 0) {
              let data7 = data4.command;
              if (Array.isArray(data7)) {
                if (data7.length < 1) {
                  const err18 = { instancePath: instancePath + "/service/api_key/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data7 };
                  if (vErrors === null) {
                    vErrors = [err18];
                  } else {
                    vErrors.push(err18);
                  }
                  errors++;
                }
                const len0 = data7.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data8 = data7[i0];
                  if (typeof data8 !== "string") {
                    const err19 = { instancePath: instancePath + "/service/api_key/command/" + i0, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data8 };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
              } else {
                const err20 = { instancePath: instancePath + "/service/api_key/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data7 };
                if (vErrors === null) {
                  vErrors = [err20];
                } else {
                  vErrors.push(err20);
                }
                errors++;
              }
            }
          } else {
            const err21 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data4 };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        }
      } else {
        const err22 = { instancePath: instancePath + "/service", schemaPath: "#/properties/service/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.service.type, parentSchema: schema31.properties.service, data: data1 };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
    if (data.state !== void 0) {
      let data9 = data.state;
      if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
        for (const key3 in data9) {
          if (!(key3 === "backend" || key3 === "path")) {
            const err23 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.state, data: data9 };
            if (vErrors === null) {
              vErrors = [err23];
            } else {
              vErrors.push(err23);
            }
            errors++;
          }
        }
        if (data9.backend !== void 0) {
          let data10 = data9.backend;
          if ("local" !== data10) {
            const err24 = { instancePath: instancePath + "/state/backend", schemaPath: "#/properties/state/properties/backend/const", keyword: "const", params: { allowedValue: "local" }, message: "must be equal to constant", schema: "local", parentSchema: schema31.properties.state.properties.backend, data: data10 };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data9.path !== void 0) {
          let data11 = data9.path;
          if (typeof data11 === "string") {
            if (func2(data11) < 1) {
              const err25 = { instancePath: instancePath + "/state/path", schemaPath: "#/properties/state/properties/path/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.path, data: data11 };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
          } else {
            const err26 = { instancePath: instancePath + "/state/path", schemaPath: "#/properties/state/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.path.type, parentSchema: schema31.properties.state.properties.path, data: data11 };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
      } else {
        const err27 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.state.type, parentSchema: schema31.properties.state, data: data9 };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
    if (data.variables !== void 0) {
      let data12 = data.variables;
      if (data12 && typeof data12 == "object" && !Array.isArray(data12)) {
        for (const key4 in data12) {
          const _errs36 = errors;
          if (typeof key4 === "string") {
            if (!pattern5.test(key4)) {
              const err28 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.variables.propertyNames, data: key4, propertyName: key4 };
              if (vErrors === null) {
                vErrors = [err28];
              } else {
                vErrors.push(err28);
              }
              errors++;
            }
          }
          var valid9 = _errs36 === errors;
          if (!valid9) {
            const err29 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames", keyword: "propertyNames", params: { propertyName: key4 }, message: "property name must be valid", schema: schema31.properties.variables.propertyNames, parentSchema: schema31.properties.variables, data: data12 };
            if (vErrors === null) {
              vErrors = [err29];
            } else {
              vErrors.push(err29);
            }
            errors++;
          }
        }
        for (const key5 in data12) {
          let data13 = data12[key5];
          if (!(data13 && typeof data13 == "object" && !Array.isArray(data13)) && data13 !== null) {
            const err30 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.type }, message: "must be object,null", schema: schema31.properties.variables.additionalProperties.type, parentSchema: schema31.properties.variables.additionalProperties, data: data13 };
            if (vErrors === null) {
              vErrors = [err30];
            } else {
              vErrors.push(err30);
            }
            errors++;
          }
          if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
            for (const key6 in data13) {
              if (!(key6 === "default" || key6 === "sensitive" || key6 === "description")) {
                const err31 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.variables.additionalProperties, data: data13 };
                if (vErrors === null) {
                  vErrors = [err31];
                } else {
                  vErrors.push(err31);
                }
                errors++;
              }
            }
            if (data13.default !== void 0) {
              let data14 = data13.default;
              if (typeof data14 !== "string" && !(typeof data14 == "number" && isFinite(data14)) && typeof data14 !== "boolean") {
                const err32 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/default", schemaPath: "#/properties/variables/additionalProperties/properties/default/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.properties.default.type }, message: "must be string,number,boolean", schema: schema31.properties.variables.additionalProperties.properties.default.type, parentSchema: schema31.properties.variables.additionalProperties.properties.default, data: data14 };
                if (vErrors === null) {
                  vErrors = [err32];
                } else {
                  vErrors.push(err32);
                }
                errors++;
              }
            }
            if (data13.sensitive !== void 0) {
              let data15 = data13.sensitive;
              if (typeof data15 !== "boolean") {
                const err33 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/variables/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.variables.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.variables.additionalProperties.properties.sensitive, data: data15 };
                if (vErrors === null) {
                  vErrors = [err33];
                } else {
                  vErrors.push(err33);
                }
                errors++;
              }
            }
            if (data13.description !== void 0) {
              let data16 = data13.description;
              if (typeof data16 !== "string") {
                const err34 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/variables/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.variables.additionalProperties.properties.description.type, parentSchema: schema31.properties.variables.additionalProperties.properties.description, data: data16 };
                if (vErrors === null) {
                  vErrors = [err34];
                } else {
                  vErrors.push(err34);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err35 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.variables.type, parentSchema: schema31.properties.variables, data: data12 };
        if (vErrors === null) {
          vErrors = [err35];
        } else {
          vErrors.push(err35);
        }
        errors++;
      }
    }
    if (data.data !== void 0) {
      let data17 = data.data;
      if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
        for (const key7 in data17) {
          if (!(key7 === "campaign" || key7 === "campaigns" || key7 === "schedules" || key7 === "warmup_settings" || key7 === "webhooks")) {
            const err36 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data, data: data17 };
            if (vErrors === null) {
              vErrors = [err36];
            } else {
              vErrors.push(err36);
            }
            errors++;
          }
        }
        if (data17.campaign !== void 0) {
          let data18 = data17.campaign;
          if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
            for (const key8 in data18) {
              const _errs52 = errors;
              if (typeof key8 === "string") {
                if (!pattern5.test(key8)) {
                  const err37 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.campaign.propertyNames, data: key8, propertyName: key8 };
                  if (vErrors === null) {
                    vErrors = [err37];
                  } else {
                    vErrors.push(err37);
                  }
                  errors++;
                }
              }
              var valid13 = _errs52 === errors;
              if (!valid13) {
                const err38 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames", keyword: "propertyNames", params: { propertyName: key8 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaign.propertyNames, parentSchema: schema31.properties.data.properties.campaign, data: data18 };
                if (vErrors === null) {
                  vErrors = [err38];
                } else {
                  vErrors.push(err38);
                }
                errors++;
              }
            }
            for (const key9 in data18) {
              let data19 = data18[key9];
              if (data19 && typeof data19 == "object" && !Array.isArray(data19)) {
                for (const key10 in data19) {
                  if (!(key10 === "id" || key10 === "name" || key10 === "status")) {
                    const err39 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data19 };
                    if (vErrors === null) {
                      vErrors = [err39];
                    } else {
                      vErrors.push(err39);
                    }
                    errors++;
                  }
                }
                if (data19.id !== void 0) {
                  let data20 = data19.id;
                  if (typeof data20 !== "string") {
                    const err40 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/id", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.id.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.id, data: data20 };
                    if (vErrors === null) {
                      vErrors = [err40];
                    } else {
                      vErrors.push(err40);
                    }
                    errors++;
                  }
                }
                if (data19.name !== void 0) {
                  let data21 = data19.name;
                  if (typeof data21 !== "string") {
                    const err41 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/name", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.name.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.name, data: data21 };
                    if (vErrors === null) {
                      vErrors = [err41];
                    } else {
                      vErrors.push(err41);
                    }
                    errors++;
                  }
                }
                if (data19.status !== void 0) {
                  let data22 = data19.status;
                  const _errs62 = errors;
                  let valid16 = false;
                  const _errs63 = errors;
                  if (!(data22 === "running" || data22 === "paused" || data22 === "draft" || data22 === "ended" || data22 === "archived" || data22 === "errors")) {
                    const err42 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0], data: data22 };
                    if (vErrors === null) {
                      vErrors = [err42];
                    } else {
                      vErrors.push(err42);
                    }
                    errors++;
                  }
                  var _valid1 = _errs63 === errors;
                  valid16 = valid16 || _valid1;
                  const _errs64 = errors;
                  if (typeof data22 !== "string") {
                    const err43 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1], data: data22 };
                    if (vErrors === null) {
                      vErrors = [err43];
                    } else {
                      vErrors.push(err43);
                    }
                    errors++;
                  }
                  var _valid1 = _errs64 === errors;
                  valid16 = valid16 || _valid1;
                  if (!valid16) {
                    const err44 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status, data: data22 };
                    if (vErrors === null) {
                      vErrors = [err44];
                    } else {
                      vErrors.push(err44);
                    }
                    errors++;
                  } else {
                    errors = _errs62;
                    if (vErrors !== null) {
                      if (_errs62) {
                        vErrors.length = _errs62;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err45 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data19 };
                if (vErrors === null) {
                  vErrors = [err45];
                } else {
                  vErrors.push(err45);
                }
                errors++;
              }
            }
          } else {
            const err46 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.type, parentSchema: schema31.properties.data.properties.campaign, data: data18 };
            if (vErrors === null) {
              vErrors = [err46];
            } else {
              vErrors.push(err46);
            }
            errors++;
          }
        }
        if (data17.campaigns !== void 0) {
          let data23 = data17.campaigns;
          if (data23 && typeof data23 == "object" && !Array.isArray(data23)) {
            for (const key11 in data23) {
              const _errs68 = errors;
              if (typeof key11 === "string") {
                if (!pattern5.test(key11)) {
                  const err47 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.campaigns.propertyNames, data: key11, propertyName: key11 };
                  if (vErrors === null) {
                    vErrors = [err47];
                  } else {
                    vErrors.push(err47);
                  }
                  errors++;
                }
              }
              var valid17 = _errs68 === errors;
              if (!valid17) {
                const err48 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/propertyNames", keyword: "propertyNames", params: { propertyName: key11 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaigns.propertyNames, parentSchema: schema31.properties.data.properties.campaigns, data: data23 };
                if (vErrors === null) {
                  vErrors = [err48];
                } else {
                  vErrors.push(err48);
                }
                errors++;
              }
            }
            for (const key12 in data23) {
              let data24 = data23[key12];
              if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
                for (const key13 in data24) {
                  if (!(key13 === "status" || key13 === "created_by" || key13 === "labels" || key13 === "name_regex" || key13 === "sort_order")) {
                    const err49 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaigns/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key13 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties, data: data24 };
                    if (vErrors === null) {
                      vErrors = [err49];
                    } else {
                      vErrors.push(err49);
                    }
                    errors++;
                  }
                }
                if (data24.status !== void 0) {
                  let data25 = data24.status;
                  const _errs74 = errors;
                  let valid20 = false;
                  const _errs75 = errors;
                  if (!(data25 === "running" || data25 === "paused" || data25 === "draft" || data25 === "ended" || data25 === "archived" || data25 === "errors")) {
                    const err50 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0], data: data25 };
                    if (vErrors === null) {
                      vErrors = [err50];
                    } else {
                      vErrors.push(err50);
                    }
                    errors++;
                  }
                  var _valid2 = _errs75 === errors;
                  valid20 = valid20 || _valid2;
                  const _errs76 = errors;
                  if (typeof data25 !== "string") {
                    const err51 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[1], data: data25 };
                    if (vErrors === null) {
                      vErrors = [err51];
                    } else {
                      vErrors.push(err51);
                    }
                    errors++;
                  }
                  var _valid2 = _errs76 === errors;
                  valid20 = valid20 || _valid2;
                  if (!valid20) {
                    const err52 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status, data: data25 };
                    if (vErrors === null) {
                      vErrors = [err52];
                    } else {
                      vErrors.push(err52);
                    }
                    errors++;
                  } else {
                    errors = _errs74;
                    if (vErrors !== null) {
                      if (_errs74) {
                        vErrors.length = _errs74;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
                if (data24.created_by !== void 0) {
                  let data26 = data24.created_by;
                  if (typeof data26 !== "string") {
                    const err53 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/created_by", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/created_by/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.created_by.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.created_by, data: data26 };
                    if (vErrors === null) {
                      vErrors = [err53];
                    } else {
                      vErrors.push(err53);
                    }
                    errors++;
                  }
                }
                if (data24.labels !== void 0) {
                  let data27 = data24.labels;
                  if (Array.isArray(data27)) {
                    const len1 = data27.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      let data28 = data27[i1];
                      if (typeof data28 !== "string") {
                        const err54 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/labels/" + i1, schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/labels/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.items.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.items, data: data28 };
                        if (vErrors === null) {
                          vErrors = [err54];
                        } else {
                          vErrors.push(err54);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err55 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/labels", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/labels/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels, data: data27 };
                    if (vErrors === null) {
                      vErrors = [err55];
                    } else {
                      vErrors.push(err55);
                    }
                    errors++;
                  }
                }
                if (data24.name_regex !== void 0) {
                  let data29 = data24.name_regex;
                  if (typeof data29 !== "string") {
                    const err56 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/name_regex", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/name_regex/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.name_regex.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.name_regex, data: data29 };
                    if (vErrors === null) {
                      vErrors = [err56];
                    } else {
                      vErrors.push(err56);
                    }
                    errors++;
                  }
                }
                if (data24.sort_order !== void 0) {
                  let data30 = data24.sort_order;
                  const _errs87 = errors;
                  let valid23 = false;
                  const _errs88 = errors;
                  if (!(data30 === "asc" || data30 === "desc")) {
                    const err57 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0], data: data30 };
                    if (vErrors === null) {
                      vErrors = [err57];
                    } else {
                      vErrors.push(err57);
                    }
                    errors++;
                  }
                  var _valid3 = _errs88 === errors;
                  valid23 = valid23 || _valid3;
                  const _errs89 = errors;
                  if (typeof data30 !== "string") {
                    const err58 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[1], data: data30 };
                    if (vErrors === null) {
                      vErrors = [err58];
                    } else {
                      vErrors.push(err58);
                    }
                    errors++;
                  }
                  var _valid3 = _errs89 === errors;
                  valid23 = valid23 || _valid3;
                  if (!valid23) {
                    const err59 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order, data: data30 };
                    if (vErrors === null) {
                      vErrors = [err59];
                    } else {
                      vErrors.push(err59);
                    }
                    errors++;
                  } else {
                    errors = _errs87;
                    if (vErrors !== null) {
                      if (_errs87) {
                        vErrors.length = _errs87;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err60 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaigns/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaigns.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties, data: data24 };
                if (vErrors === null) {
                  vErrors = [err60];
                } else {
                  vErrors.push(err60);
                }
                errors++;
              }
            }
          } else {
            const err61 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaigns.type, parentSchema: schema31.properties.data.properties.campaigns, data: data23 };
            if (vErrors === null) {
              vErrors = [err61];
            } else {
              vErrors.push(err61);
            }
            errors++;
          }
        }
        if (data17.schedules !== void 0) {
          let data31 = data17.schedules;
          if (data31 && typeof data31 == "object" && !Array.isArray(data31)) {
            for (const key14 in data31) {
              const _errs93 = errors;
              if (typeof key14 === "string") {
                if (!pattern5.test(key14)) {
                  const err62 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.schedules.propertyNames, data: key14, propertyName: key14 };
                  if (vErrors === null) {
                    vErrors = [err62];
                  } else {
                    vErrors.push(err62);
                  }
                  errors++;
                }
              }
              var valid24 = _errs93 === errors;
              if (!valid24) {
                const err63 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/propertyNames", keyword: "propertyNames", params: { propertyName: key14 }, message: "property name must be valid", schema: schema31.properties.data.properties.schedules.propertyNames, parentSchema: schema31.properties.data.properties.schedules, data: data31 };
                if (vErrors === null) {
                  vErrors = [err63];
                } else {
                  vErrors.push(err63);
                }
                errors++;
              }
            }
            for (const key15 in data31) {
              let data32 = data31[key15];
              if (data32 && typeof data32 == "object" && !Array.isArray(data32)) {
                for (const key16 in data32) {
                  if (!(key16 === "campaign_id" || key16 === "campaign")) {
                    const err64 = { instancePath: instancePath + "/data/schedules/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/schedules/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key16 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.schedules.additionalProperties, data: data32 };
                    if (vErrors === null) {
                      vErrors = [err64];
                    } else {
                      vErrors.push(err64);
                    }
                    errors++;
                  }
                }
                if (data32.campaign_id !== void 0) {
                  let data33 = data32.campaign_id;
                  if (typeof data33 !== "string") {
                    const err65 = { instancePath: instancePath + "/data/schedules/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/data/properties/schedules/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign_id, data: data33 };
                    if (vErrors === null) {
                      vErrors = [err65];
                    } else {
                      vErrors.push(err65);
                    }
                    errors++;
                  }
                }
                if (data32.campaign !== void 0) {
                  let data34 = data32.campaign;
                  if (typeof data34 !== "string") {
                    const err66 = { instancePath: instancePath + "/data/schedules/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/data/properties/schedules/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign, data: data34 };
                    if (vErrors === null) {
                      vErrors = [err66];
                    } else {
                      vErrors.push(err66);
                    }
                    errors++;
                  }
                }
              } else {
                const err67 = { instancePath: instancePath + "/data/schedules/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/schedules/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.schedules.additionalProperties.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties, data: data32 };
                if (vErrors === null) {
                  vErrors = [err67];
                } else {
                  vErrors.push(err67);
                }
                errors++;
              }
            }
          } else {
            const err68 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.schedules.type, parentSchema: schema31.properties.data.properties.schedules, data: data31 };
            if (vErrors === null) {
              vErrors = [err68];
            } else {
              vErrors.push(err68);
            }
            errors++;
          }
        }
        if (data17.warmup_settings !== void 0) {
          let data35 = data17.warmup_settings;
          if (data35 && typeof data35 == "object" && !Array.isArray(data35)) {
            for (const key17 in data35) {
              const _errs104 = errors;
              if (typeof key17 === "string") {
                if (!pattern5.test(key17)) {
                  const err69 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.warmup_settings.propertyNames, data: key17, propertyName: key17 };
                  if (vErrors === null) {
                    vErrors = [err69];
                  } else {
                    vErrors.push(err69);
                  }
                  errors++;
                }
              }
              var valid27 = _errs104 === errors;
              if (!valid27) {
                const err70 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/propertyNames", keyword: "propertyNames", params: { propertyName: key17 }, message: "property name must be valid", schema: schema31.properties.data.properties.warmup_settings.propertyNames, parentSchema: schema31.properties.data.properties.warmup_settings, data: data35 };
                if (vErrors === null) {
                  vErrors = [err70];
                } else {
                  vErrors.push(err70);
                }
                errors++;
              }
            }
            for (const key18 in data35) {
              let data36 = data35[key18];
              if (data36 && typeof data36 == "object" && !Array.isArray(data36)) {
                if (data36.user_mailbox_id === void 0) {
                  const err71 = { instancePath: instancePath + "/data/warmup_settings/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/required", keyword: "required", params: { missingProperty: "user_mailbox_id" }, message: "must have required property 'user_mailbox_id'", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.required, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data36 };
                  if (vErrors === null) {
                    vErrors = [err71];
                  } else {
                    vErrors.push(err71);
                  }
                  errors++;
                }
                for (const key19 in data36) {
                  if (!(key19 === "user_mailbox_id")) {
                    const err72 = { instancePath: instancePath + "/data/warmup_settings/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key19 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data36 };
                    if (vErrors === null) {
                      vErrors = [err72];
                    } else {
                      vErrors.push(err72);
                    }
                    errors++;
                  }
                }
                if (data36.user_mailbox_id !== void 0) {
                  let data37 = data36.user_mailbox_id;
                  if (typeof data37 !== "string") {
                    const err73 = { instancePath: instancePath + "/data/warmup_settings/" + key18.replace(/~/g, "~0").replace(/\//g, "~1") + "/user_mailbox_id", schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/properties/user_mailbox_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.properties.user_mailbox_id.type, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties.properties.user_mailbox_id, data: data37 };
                    if (vErrors === null) {
                      vErrors = [err73];
                    } else {
                      vErrors.push(err73);
                    }
                    errors++;
                  }
                }
              } else {
                const err74 = { instancePath: instancePath + "/data/warmup_settings/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.type, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data36 };
                if (vErrors === null) {
                  vErrors = [err74];
                } else {
                  vErrors.push(err74);
                }
                errors++;
              }
            }
          } else {
            const err75 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.warmup_settings.type, parentSchema: schema31.properties.data.properties.warmup_settings, data: data35 };
            if (vErrors === null) {
              vErrors = [err75];
            } else {
              vErrors.push(err75);
            }
            errors++;
          }
        }
        if (data17.webhooks !== void 0) {
          let data38 = data17.webhooks;
          if (data38 && typeof data38 == "object" && !Array.isArray(data38)) {
            for (const key20 in data38) {
              const _errs113 = errors;
              if (typeof key20 === "string") {
                if (!pattern5.test(key20)) {
                  const err76 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.webhooks.propertyNames, data: key20, propertyName: key20 };
                  if (vErrors === null) {
                    vErrors = [err76];
                  } else {
                    vErrors.push(err76);
                  }
                  errors++;
                }
              }
              var valid30 = _errs113 === errors;
              if (!valid30) {
                const err77 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key20 }, message: "property name must be valid", schema: schema31.properties.data.properties.webhooks.propertyNames, parentSchema: schema31.properties.data.properties.webhooks, data: data38 };
                if (vErrors === null) {
                  vErrors = [err77];
                } else {
                  vErrors.push(err77);
                }
                errors++;
              }
            }
            for (const key21 in data38) {
              let data39 = data38[key21];
              if (data39 && typeof data39 == "object" && !Array.isArray(data39)) {
                for (const key22 in data39) {
                  const err78 = { instancePath: instancePath + "/data/webhooks/" + key21.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key22 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.webhooks.additionalProperties, data: data39 };
                  if (vErrors === null) {
                    vErrors = [err78];
                  } else {
                    vErrors.push(err78);
                  }
                  errors++;
                }
              } else {
                const err79 = { instancePath: instancePath + "/data/webhooks/" + key21.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.data.properties.webhooks.additionalProperties, data: data39 };
                if (vErrors === null) {
                  vErrors = [err79];
                } else {
                  vErrors.push(err79);
                }
                errors++;
              }
            }
          } else {
            const err80 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.webhooks.type, parentSchema: schema31.properties.data.properties.webhooks, data: data38 };
            if (vErrors === null) {
              vErrors = [err80];
            } else {
              vErrors.push(err80);
            }
            errors++;
          }
        }
      } else {
        const err81 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.type, parentSchema: schema31.properties.data, data: data17 };
        if (vErrors === null) {
          vErrors = [err81];
        } else {
          vErrors.push(err81);
        }
        errors++;
      }
    }
    if (data.webhooks !== void 0) {
      let data40 = data.webhooks;
      if (data40 && typeof data40 == "object" && !Array.isArray(data40)) {
        for (const key23 in data40) {
          const _errs120 = errors;
          if (typeof key23 === "string") {
            if (!pattern5.test(key23)) {
              const err82 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.webhooks.propertyNames, data: key23, propertyName: key23 };
              if (vErrors === null) {
                vErrors = [err82];
              } else {
                vErrors.push(err82);
              }
              errors++;
            }
          }
          var valid32 = _errs120 === errors;
          if (!valid32) {
            const err83 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key23 }, message: "property name must be valid", schema: schema31.properties.webhooks.propertyNames, parentSchema: schema31.properties.webhooks, data: data40 };
            if (vErrors === null) {
              vErrors = [err83];
            } else {
              vErrors.push(err83);
            }
            errors++;
          }
        }
        for (const key24 in data40) {
          let data41 = data40[key24];
          if (data41 && typeof data41 == "object" && !Array.isArray(data41)) {
            if (data41.target_url === void 0) {
              const err84 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/required", keyword: "required", params: { missingProperty: "target_url" }, message: "must have required property 'target_url'", schema: schema31.properties.webhooks.additionalProperties.required, parentSchema: schema31.properties.webhooks.additionalProperties, data: data41 };
              if (vErrors === null) {
                vErrors = [err84];
              } else {
                vErrors.push(err84);
              }
              errors++;
            }
            for (const key25 in data41) {
              if (!func1.call(schema31.properties.webhooks.additionalProperties.properties, key25)) {
                const err85 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key25 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.webhooks.additionalProperties, data: data41 };
                if (vErrors === null) {
                  vErrors = [err85];
                } else {
                  vErrors.push(err85);
                }
                errors++;
              }
            }
            if (data41.target_url !== void 0) {
              let data42 = data41.target_url;
              if (typeof data42 !== "string") {
                const err86 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/target_url", schemaPath: "#/properties/webhooks/additionalProperties/properties/target_url/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.target_url.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.target_url, data: data42 };
                if (vErrors === null) {
                  vErrors = [err86];
                } else {
                  vErrors.push(err86);
                }
                errors++;
              }
            }
            if (data41.type !== void 0) {
              let data43 = data41.type;
              const _errs128 = errors;
              let valid35 = false;
              const _errs129 = errors;
              if (!(data43 === "contacted" || data43 === "hooked" || data43 === "attracted" || data43 === "warmed" || data43 === "interested" || data43 === "notInterested" || data43 === "emailsSent" || data43 === "emailsOpened" || data43 === "emailsClicked" || data43 === "emailsReplied" || data43 === "emailsBounced" || data43 === "emailsFailed" || data43 === "emailsInterested" || data43 === "emailsNotInterested" || data43 === "emailsUnsubscribed" || data43 === "networkSent" || data43 === "networkOpened" || data43 === "networkReplied" || data43 === "networkInterested" || data43 === "networkNotInterested" || data43 === "networkSendFailed" || data43 === "networkVisitDone" || data43 === "networkVisitFailed" || data43 === "networkFollowDone" || data43 === "networkFollowFailed" || data43 === "networkFollowSkipped" || data43 === "networkInviteDone" || data43 === "networkInviteFailed" || data43 === "networkInviteAccepted" || data43 === "networkEndorseDone" || data43 === "networkEndorseFailed" || data43 === "networkEndorseSkipped" || data43 === "networkVoiceNoteDone" || data43 === "networkVoiceNoteFailed" || data43 === "networkLikeLastPostDone" || data43 === "networkLikeLastPostNoPost" || data43 === "networkLikeLastPostFailed" || data43 === "networkWithdrawInvitationDone" || data43 === "networkWithdrawInvitationFailed" || data43 === "chatMessageSent" || data43 === "chatMessageDelivered" || data43 === "chatMessageOpened" || data43 === "chatReplied" || data43 === "chatMessageFailed" || data43 === "smsSent" || data43 === "smsDelivered" || data43 === "smsReplied" || data43 === "smsFailed" || data43 === "dialerCreated" || data43 === "dialerEnded" || data43 === "dialerDone" || data43 === "dialerInterested" || data43 === "dialerNotInterested" || data43 === "callRecordingDone" || data43 === "callTranscriptDone" || data43 === "apiDone" || data43 === "apiInterested" || data43 === "apiNotInterested" || data43 === "apiFailed" || data43 === "manualInterested" || data43 === "manualNotInterested" || data43 === "annotated" || data43 === "paused" || data43 === "resumed" || data43 === "stopped" || data43 === "campaignComplete" || data43 === "customDomainErrors" || data43 === "connectionIssue" || data43 === "sendLimitReached" || data43 === "warmupPaused" || data43 === "enrichmentDone" || data43 === "enrichmentError" || data43 === "inboxLabelUpdated" || data43 === "signalRegistered" || data43 === "deliverabilityAlertTriggered")) {
                const err87 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0], data: data43 };
                if (vErrors === null) {
                  vErrors = [err87];
                } else {
                  vErrors.push(err87);
                }
                errors++;
              }
              var _valid4 = _errs129 === errors;
              valid35 = valid35 || _valid4;
              const _errs130 = errors;
              if (typeof data43 !== "string") {
                const err88 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1], data: data43 };
                if (vErrors === null) {
                  vErrors = [err88];
                } else {
                  vErrors.push(err88);
                }
                errors++;
              }
              var _valid4 = _errs130 === errors;
              valid35 = valid35 || _valid4;
              if (!valid35) {
                const err89 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type, data: data43 };
                if (vErrors === null) {
                  vErrors = [err89];
                } else {
                  vErrors.push(err89);
                }
                errors++;
              } else {
                errors = _errs128;
                if (vErrors !== null) {
                  if (_errs128) {
                    vErrors.length = _errs128;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data41.types !== void 0) {
              let data44 = data41.types;
              if (Array.isArray(data44)) {
                const len2 = data44.length;
                for (let i2 = 0; i2 < len2; i2++) {
                  let data45 = data44[i2];
                  const _errs135 = errors;
                  let valid38 = false;
                  const _errs136 = errors;
                  if (!(data45 === "contacted" || data45 === "hooked" || data45 === "attracted" || data45 === "warmed" || data45 === "interested" || data45 === "notInterested" || data45 === "emailsSent" || data45 === "emailsOpened" || data45 === "emailsClicked" || data45 === "emailsReplied" || data45 === "emailsBounced" || data45 === "emailsFailed" || data45 === "emailsInterested" || data45 === "emailsNotInterested" || data45 === "emailsUnsubscribed" || data45 === "networkSent" || data45 === "networkOpened" || data45 === "networkReplied" || data45 === "networkInterested" || data45 === "networkNotInterested" || data45 === "networkSendFailed" || data45 === "networkVisitDone" || data45 === "networkVisitFailed" || data45 === "networkFollowDone" || data45 === "networkFollowFailed" || data45 === "networkFollowSkipped" || data45 === "networkInviteDone" || data45 === "networkInviteFailed" || data45 === "networkInviteAccepted" || data45 === "networkEndorseDone" || data45 === "networkEndorseFailed" || data45 === "networkEndorseSkipped" || data45 === "networkVoiceNoteDone" || data45 === "networkVoiceNoteFailed" || data45 === "networkLikeLastPostDone" || data45 === "networkLikeLastPostNoPost" || data45 === "networkLikeLastPostFailed" || data45 === "networkWithdrawInvitationDone" || data45 === "networkWithdrawInvitationFailed" || data45 === "chatMessageSent" || data45 === "chatMessageDelivered" || data45 === "chatMessageOpened" || data45 === "chatReplied" || data45 === "chatMessageFailed" || data45 === "smsSent" || data45 === "smsDelivered" || data45 === "smsReplied" || data45 === "smsFailed" || data45 === "dialerCreated" || data45 === "dialerEnded" || data45 === "dialerDone" || data45 === "dialerInterested" || data45 === "dialerNotInterested" || data45 === "callRecordingDone" || data45 === "callTranscriptDone" || data45 === "apiDone" || data45 === "apiInterested" || data45 === "apiNotInterested" || data45 === "apiFailed" || data45 === "manualInterested" || data45 === "manualNotInterested" || data45 === "annotated" || data45 === "paused" || data45 === "resumed" || data45 === "stopped" || data45 === "campaignComplete" || data45 === "customDomainErrors" || data45 === "connectionIssue" || data45 === "sendLimitReached" || data45 === "warmupPaused" || data45 === "enrichmentDone" || data45 === "enrichmentError" || data45 === "inboxLabelUpdated" || data45 === "signalRegistered" || data45 === "deliverabilityAlertTriggered")) {
                    const err90 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i2, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0], data: data45 };
                    if (vErrors === null) {
                      vErrors = [err90];
                    } else {
                      vErrors.push(err90);
                    }
                    errors++;
                  }
                  var _valid5 = _errs136 === errors;
                  valid38 = valid38 || _valid5;
                  const _errs137 = errors;
                  if (typeof data45 !== "string") {
                    const err91 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i2, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[1], data: data45 };
                    if (vErrors === null) {
                      vErrors = [err91];
                    } else {
                      vErrors.push(err91);
                    }
                    errors++;
                  }
                  var _valid5 = _errs137 === errors;
                  valid38 = valid38 || _valid5;
                  if (!valid38) {
                    const err92 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i2, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items, data: data45 };
                    if (vErrors === null) {
                      vErrors = [err92];
                    } else {
                      vErrors.push(err92);
                    }
                    errors++;
                  } else {
                    errors = _errs135;
                    if (vErrors !== null) {
                      if (_errs135) {
                        vErrors.length = _errs135;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err93 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/types", schemaPath: "#/properties/webhooks/additionalProperties/properties/types/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.webhooks.additionalProperties.properties.types.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types, data: data44 };
                if (vErrors === null) {
                  vErrors = [err93];
                } else {
                  vErrors.push(err93);
                }
                errors++;
              }
            }
            if (data41.campaign_id !== void 0) {
              let data46 = data41.campaign_id;
              if (typeof data46 !== "string") {
                const err94 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign_id, data: data46 };
                if (vErrors === null) {
                  vErrors = [err94];
                } else {
                  vErrors.push(err94);
                }
                errors++;
              }
            }
            if (data41.campaign !== void 0) {
              let data47 = data41.campaign;
              if (typeof data47 !== "string") {
                const err95 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign, data: data47 };
                if (vErrors === null) {
                  vErrors = [err95];
                } else {
                  vErrors.push(err95);
                }
                errors++;
              }
            }
            if (data41.campaigns !== void 0) {
              let data48 = data41.campaigns;
              if (typeof data48 !== "string" && !Array.isArray(data48)) {
                const err96 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaigns/type", keyword: "type", params: { type: schema31.properties.webhooks.additionalProperties.properties.campaigns.type }, message: "must be string,array", schema: schema31.properties.webhooks.additionalProperties.properties.campaigns.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaigns, data: data48 };
                if (vErrors === null) {
                  vErrors = [err96];
                } else {
                  vErrors.push(err96);
                }
                errors++;
              }
              if (Array.isArray(data48)) {
                const len3 = data48.length;
                for (let i3 = 0; i3 < len3; i3++) {
                  let data49 = data48[i3];
                  if (typeof data49 !== "string") {
                    const err97 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns/" + i3, schemaPath: "#/properties/webhooks/additionalProperties/properties/campaigns/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaigns.items.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaigns.items, data: data49 };
                    if (vErrors === null) {
                      vErrors = [err97];
                    } else {
                      vErrors.push(err97);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data41.is_first !== void 0) {
              let data50 = data41.is_first;
              const _errs148 = errors;
              let valid41 = false;
              const _errs149 = errors;
              if (typeof data50 !== "boolean") {
                const err98 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0], data: data50 };
                if (vErrors === null) {
                  vErrors = [err98];
                } else {
                  vErrors.push(err98);
                }
                errors++;
              }
              var _valid6 = _errs149 === errors;
              valid41 = valid41 || _valid6;
              const _errs151 = errors;
              if (typeof data50 === "string") {
                if (!pattern12.test(data50)) {
                  const err99 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data50 };
                  if (vErrors === null) {
                    vErrors = [err99];
                  } else {
                    vErrors.push(err99);
                  }
                  errors++;
                }
              } else {
                const err100 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data50 };
                if (vErrors === null) {
                  vErrors = [err100];
                } else {
                  vErrors.push(err100);
                }
                errors++;
              }
              var _valid6 = _errs151 === errors;
              valid41 = valid41 || _valid6;
              if (!valid41) {
                const err101 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first, data: data50 };
                if (vErrors === null) {
                  vErrors = [err101];
                } else {
                  vErrors.push(err101);
                }
                errors++;
              } else {
                errors = _errs148;
                if (vErrors !== null) {
                  if (_errs148) {
                    vErrors.length = _errs148;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data41.automation_id !== void 0) {
              let data51 = data41.automation_id;
              if (typeof data51 !== "string") {
                const err102 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/automation_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/automation_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.automation_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.automation_id, data: data51 };
                if (vErrors === null) {
                  vErrors = [err102];
                } else {
                  vErrors.push(err102);
                }
                errors++;
              }
            }
            if (data41.secret !== void 0) {
              let data52 = data41.secret;
              const _errs158 = errors;
              const _errs159 = errors;
              const _errs160 = errors;
              let valid44 = false;
              const _errs161 = errors;
              if (data52 && typeof data52 == "object" && !Array.isArray(data52)) {
                let missing3;
                if (data52.env === void 0 && (missing3 = "env") || data52.file === void 0 && (missing3 = "file")) {
                  const err103 = {};
                  if (vErrors === null) {
                    vErrors = [err103];
                  } else {
                    vErrors.push(err103);
                  }
                  errors++;
                }
              }
              var _valid7 = _errs161 === errors;
              valid44 = valid44 || _valid7;
              const _errs162 = errors;
              if (data52 && typeof data52 == "object" && !Array.isArray(data52)) {
                let missing4;
                if (data52.env === void 0 && (missing4 = "env") || data52.command === void 0 && (missing4 = "command")) {
                  const err104 = {};
                  if (vErrors === null) {
                    vErrors = [err104];
                  } else {
                    vErrors.push(err104);
                  }
                  errors++;
                }
              }
              var _valid7 = _errs162 === errors;
              valid44 = valid44 || _valid7;
              const _errs163 = errors;
              if (data52 && typeof data52 == "object" && !Array.isArray(data52)) {
                let missing5;
                if (data52.file === void 0 && (missing5 = "file") || data52.command === void 0 && (missing5 = "command")) {
                  const err105 = {};
                  if (vErrors === null) {
                    vErrors = [err105];
                  } else {
                    vErrors.push(err105);
                  }
                  errors++;
                }
              }
              var _valid7 = _errs163 === errors;
              valid44 = valid44 || _valid7;
              if (!valid44) {
                const err106 = {};
                if (vErrors === null) {
                  vErrors = [err106];
                } else {
                  vErrors.push(err106);
                }
                errors++;
              } else {
                errors = _errs160;
                if (vErrors !== null) {
                  if (_errs160) {
                    vErrors.length = _errs160;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid43 = _errs159 === errors;
              if (valid43) {
                const err107 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data52 };
                if (vErrors === null) {
                  vErrors = [err107];
                } else {
                  vErrors.push(err107);
                }
                errors++;
              } else {
                errors = _errs158;
                if (vErrors !== null) {
                  if (_errs158) {
                    vErrors.length = _errs158;
                  } else {
                    vErrors = null;
                  }
                }
              }
              if (data52 && typeof data52 == "object" && !Array.isArray(data52)) {
                if (Object.keys(data52).length < 1) {
                  const err108 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data52 };
                  if (vErrors === null) {
                    vErrors = [err108];
                  } else {
                    vErrors.push(err108);
                  }
                  errors++;
                }
                for (const key26 in data52) {
                  if (!(key26 === "env" || key26 === "file" || key26 === "command")) {
                    const err109 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key26 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data52 };
                    if (vErrors === null) {
                      vErrors = [err109];
                    } else {
                      vErrors.push(err109);
                    }
                    errors++;
                  }
                }
                if (data52.env !== void 0) {
                  let data53 = data52.env;
                  if (typeof data53 === "string") {
                    if (func2(data53) < 1) {
                      const err110 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data53 };
                      if (vErrors === null) {
                        vErrors = [err110];
                      } else {
                        vErrors.push(err110);
                      }
                      errors++;
                    }
                  } else {
                    const err111 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data53 };
                    if (vErrors === null) {
                      vErrors = [err111];
                    } else {
                      vErrors.push(err111);
                    }
                    errors++;
                  }
                }
                if (data52.file !== void 0) {
                  let data54 = data52.file;
                  if (typeof data54 === "string") {
                    if (func2(data54) < 1) {
                      const err112 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data54 };
                      if (vErrors === null) {
                        vErrors = [err112];
                      } else {
                        vErrors.push(err112);
                      }
                      errors++;
                    }
                  } else {
                    const err113 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data54 };
                    if (vErrors === null) {
                      vErrors = [err113];
                    } else {
                      vErrors.push(err113);
                    }
                    errors++;
                  }
                }
                if (data52.command !== void 0) {
                  let data55 = data52.command;
                  if (Array.isArray(data55)) {
                    if (data55.length < 1) {
                      const err114 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data55 };
                      if (vErrors === null) {
                        vErrors = [err114];
                      } else {
                        vErrors.push(err114);
                      }
                      errors++;
                    }
                    const len4 = data55.length;
                    for (let i4 = 0; i4 < len4; i4++) {
                      let data56 = data55[i4];
                      if (typeof data56 !== "string") {
                        const err115 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command/" + i4, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data56 };
                        if (vErrors === null) {
                          vErrors = [err115];
                        } else {
                          vErrors.push(err115);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err116 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data55 };
                    if (vErrors === null) {
                      vErrors = [err116];
                    } else {
                      vErrors.push(err116);
                    }
                    errors++;
                  }
                }
              } else {
                const err117 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data52 };
                if (vErrors === null) {
                  vErrors = [err117];
                } else {
                  vErrors.push(err117);
                }
                errors++;
              }
            }
            if (data41.allow_duplicate !== void 0) {
              let data57 = data41.allow_duplicate;
              const _errs174 = errors;
              let valid48 = false;
              const _errs175 = errors;
              if (typeof data57 !== "boolean") {
                const err118 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0], data: data57 };
                if (vErrors === null) {
                  vErrors = [err118];
                } else {
                  vErrors.push(err118);
                }
                errors++;
              }
              var _valid8 = _errs175 === errors;
              valid48 = valid48 || _valid8;
              const _errs177 = errors;
              if (typeof data57 === "string") {
                if (!pattern12.test(data57)) {
                  const err119 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data57 };
                  if (vErrors === null) {
                    vErrors = [err119];
                  } else {
                    vErrors.push(err119);
                  }
                  errors++;
                }
              } else {
                const err120 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data57 };
                if (vErrors === null) {
                  vErrors = [err120];
                } else {
                  vErrors.push(err120);
                }
                errors++;
              }
              var _valid8 = _errs177 === errors;
              valid48 = valid48 || _valid8;
              if (!valid48) {
                const err121 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate, data: data57 };
                if (vErrors === null) {
                  vErrors = [err121];
                } else {
                  vErrors.push(err121);
                }
                errors++;
              } else {
                errors = _errs174;
                if (vErrors !== null) {
                  if (_errs174) {
                    vErrors.length = _errs174;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data41.rotation !== void 0) {
              let data58 = data41.rotation;
              const _errs180 = errors;
              let valid49 = false;
              const _errs181 = errors;
              if (!(data58 === "delete_first" || data58 === "create_first")) {
                const err122 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0], data: data58 };
                if (vErrors === null) {
                  vErrors = [err122];
                } else {
                  vErrors.push(err122);
                }
                errors++;
              }
              var _valid9 = _errs181 === errors;
              valid49 = valid49 || _valid9;
              const _errs182 = errors;
              if (typeof data58 !== "string") {
                const err123 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1], data: data58 };
                if (vErrors === null) {
                  vErrors = [err123];
                } else {
                  vErrors.push(err123);
                }
                errors++;
              }
              var _valid9 = _errs182 === errors;
              valid49 = valid49 || _valid9;
              if (!valid49) {
                const err124 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation, data: data58 };
                if (vErrors === null) {
                  vErrors = [err124];
                } else {
                  vErrors.push(err124);
                }
                errors++;
              } else {
                errors = _errs180;
                if (vErrors !== null) {
                  if (_errs180) {
                    vErrors.length = _errs180;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data41.protect !== void 0) {
              let data59 = data41.protect;
              const _errs185 = errors;
              let valid50 = false;
              const _errs186 = errors;
              if (typeof data59 !== "boolean") {
                const err125 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0], data: data59 };
                if (vErrors === null) {
                  vErrors = [err125];
                } else {
                  vErrors.push(err125);
                }
                errors++;
              }
              var _valid10 = _errs186 === errors;
              valid50 = valid50 || _valid10;
              const _errs188 = errors;
              if (typeof data59 === "string") {
                if (!pattern12.test(data59)) {
                  const err126 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data59 };
                  if (vErrors === null) {
                    vErrors = [err126];
                  } else {
                    vErrors.push(err126);
                  }
                  errors++;
                }
              } else {
                const err127 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data59 };
                if (vErrors === null) {
                  vErrors = [err127];
                } else {
                  vErrors.push(err127);
                }
                errors++;
              }
              var _valid10 = _errs188 === errors;
              valid50 = valid50 || _valid10;
              if (!valid50) {
                const err128 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect, data: data59 };
                if (vErrors === null) {
                  vErrors = [err128];
                } else {
                  vErrors.push(err128);
                }
                errors++;
              } else {
                errors = _errs185;
                if (vErrors !== null) {
                  if (_errs185) {
                    vErrors.length = _errs185;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data41.allow_empty !== void 0) {
              let data60 = data41.allow_empty;
              if (typeof data60 !== "boolean") {
                const err129 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_empty", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_empty/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_empty.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_empty, data: data60 };
                if (vErrors === null) {
                  vErrors = [err129];
                } else {
                  vErrors.push(err129);
                }
                errors++;
              }
            }
            if (data41.prune !== void 0) {
              let data61 = data41.prune;
              if (typeof data61 !== "boolean") {
                const err130 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/prune", schemaPath: "#/properties/webhooks/additionalProperties/properties/prune/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.prune.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.prune, data: data61 };
                if (vErrors === null) {
                  vErrors = [err130];
                } else {
                  vErrors.push(err130);
                }
                errors++;
              }
            }
          } else {
            const err131 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.webhooks.additionalProperties, data: data41 };
            if (vErrors === null) {
              vErrors = [err131];
            } else {
              vErrors.push(err131);
            }
            errors++;
          }
        }
      } else {
        const err132 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.type, parentSchema: schema31.properties.webhooks, data: data40 };
        if (vErrors === null) {
          vErrors = [err132];
        } else {
          vErrors.push(err132);
        }
        errors++;
      }
    }
    if (data.lead_unsubscriptions !== void 0) {
      let data62 = data.lead_unsubscriptions;
      if (data62 && typeof data62 == "object" && !Array.isArray(data62)) {
        for (const key27 in data62) {
          const _errs196 = errors;
          if (typeof key27 === "string") {
            if (!pattern5.test(key27)) {
              const err133 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.lead_unsubscriptions.propertyNames, data: key27, propertyName: key27 };
              if (vErrors === null) {
                vErrors = [err133];
              } else {
                vErrors.push(err133);
              }
              errors++;
            }
          }
          var valid51 = _errs196 === errors;
          if (!valid51) {
            const err134 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/propertyNames", keyword: "propertyNames", params: { propertyName: key27 }, message: "property name must be valid", schema: schema31.properties.lead_unsubscriptions.propertyNames, parentSchema: schema31.properties.lead_unsubscriptions, data: data62 };
            if (vErrors === null) {
              vErrors = [err134];
            } else {
              vErrors.push(err134);
            }
            errors++;
          }
        }
        for (const key28 in data62) {
          let data63 = data62[key28];
          if (data63 && typeof data63 == "object" && !Array.isArray(data63)) {
            for (const key29 in data63) {
              if (!func1.call(schema31.properties.lead_unsubscriptions.additionalProperties.properties, key29)) {
                const err135 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key29 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties, data: data63 };
                if (vErrors === null) {
                  vErrors = [err135];
                } else {
                  vErrors.push(err135);
                }
                errors++;
              }
            }
            if (data63.campaign_id !== void 0) {
              let data64 = data63.campaign_id;
              if (typeof data64 !== "string") {
                const err136 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign_id, data: data64 };
                if (vErrors === null) {
                  vErrors = [err136];
                } else {
                  vErrors.push(err136);
                }
                errors++;
              }
            }
            if (data63.campaign !== void 0) {
              let data65 = data63.campaign;
              if (typeof data65 !== "string") {
                const err137 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign, data: data65 };
                if (vErrors === null) {
                  vErrors = [err137];
                } else {
                  vErrors.push(err137);
                }
                errors++;
              }
            }
            if (data63.campaigns !== void 0) {
              let data66 = data63.campaigns;
              if (typeof data66 !== "string" && !Array.isArray(data66)) {
                const err138 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaigns/type", keyword: "type", params: { type: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.type }, message: "must be string,array", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns, data: data66 };
                if (vErrors === null) {
                  vErrors = [err138];
                } else {
                  vErrors.push(err138);
                }
                errors++;
              }
              if (Array.isArray(data66)) {
                const len5 = data66.length;
                for (let i5 = 0; i5 < len5; i5++) {
                  let data67 = data66[i5];
                  if (typeof data67 !== "string") {
                    const err139 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns/" + i5, schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaigns/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.items.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.items, data: data67 };
                    if (vErrors === null) {
                      vErrors = [err139];
                    } else {
                      vErrors.push(err139);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data63.email !== void 0) {
              let data68 = data63.email;
              if (typeof data68 !== "string") {
                const err140 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/email", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.email.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.email, data: data68 };
                if (vErrors === null) {
                  vErrors = [err140];
                } else {
                  vErrors.push(err140);
                }
                errors++;
              }
            }
            if (data63.emails !== void 0) {
              let data69 = data63.emails;
              if (Array.isArray(data69)) {
                const len6 = data69.length;
                for (let i6 = 0; i6 < len6; i6++) {
                  let data70 = data69[i6];
                  if (typeof data70 !== "string") {
                    const err141 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails/" + i6, schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.items.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.items, data: data70 };
                    if (vErrors === null) {
                      vErrors = [err141];
                    } else {
                      vErrors.push(err141);
                    }
                    errors++;
                  }
                }
              } else {
                const err142 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails, data: data69 };
                if (vErrors === null) {
                  vErrors = [err142];
                } else {
                  vErrors.push(err142);
                }
                errors++;
              }
            }
            if (data63.emails_from !== void 0) {
              let data71 = data63.emails_from;
              if (typeof data71 === "string") {
                if (func2(data71) < 1) {
                  const err143 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data71 };
                  if (vErrors === null) {
                    vErrors = [err143];
                  } else {
                    vErrors.push(err143);
                  }
                  errors++;
                }
              } else {
                const err144 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data71 };
                if (vErrors === null) {
                  vErrors = [err144];
                } else {
                  vErrors.push(err144);
                }
                errors++;
              }
            }
            if (data63.on_not_found !== void 0) {
              let data72 = data63.on_not_found;
              const _errs218 = errors;
              let valid58 = false;
              const _errs219 = errors;
              if (!(data72 === "warn" || data72 === "error" || data72 === "retry")) {
                const err145 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0].enum, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0], data: data72 };
                if (vErrors === null) {
                  vErrors = [err145];
                } else {
                  vErrors.push(err145);
                }
                errors++;
              }
              var _valid11 = _errs219 === errors;
              valid58 = valid58 || _valid11;
              const _errs220 = errors;
              if (typeof data72 !== "string") {
                const err146 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[1].type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[1], data: data72 };
                if (vErrors === null) {
                  vErrors = [err146];
                } else {
                  vErrors.push(err146);
                }
                errors++;
              }
              var _valid11 = _errs220 === errors;
              valid58 = valid58 || _valid11;
              if (!valid58) {
                const err147 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found, data: data72 };
                if (vErrors === null) {
                  vErrors = [err147];
                } else {
                  vErrors.push(err147);
                }
                errors++;
              } else {
                errors = _errs218;
                if (vErrors !== null) {
                  if (_errs218) {
                    vErrors.length = _errs218;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data63.allow_empty !== void 0) {
              let data73 = data63.allow_empty;
              if (typeof data73 !== "boolean") {
                const err148 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_empty", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/allow_empty/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.allow_empty.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.allow_empty, data: data73 };
                if (vErrors === null) {
                  vErrors = [err148];
                } else {
                  vErrors.push(err148);
                }
                errors++;
              }
            }
            if (data63.prune !== void 0) {
              let data74 = data63.prune;
              if (typeof data74 !== "boolean") {
                const err149 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/prune", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/prune/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.prune.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.prune, data: data74 };
                if (vErrors === null) {
                  vErrors = [err149];
                } else {
                  vErrors.push(err149);
                }
                errors++;
              }
            }
          } else {
            const err150 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.lead_unsubscriptions.additionalProperties.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties, data: data63 };
            if (vErrors === null) {
              vErrors = [err150];
            } else {
              vErrors.push(err150);
            }
            errors++;
          }
        }
      } else {
        const err151 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.lead_unsubscriptions.type, parentSchema: schema31.properties.lead_unsubscriptions, data: data62 };
        if (vErrors === null) {
          vErrors = [err151];
        } else {
          vErrors.push(err151);
        }
        errors++;
      }
    }
    if (data.imports !== void 0) {
      let data75 = data.imports;
      if (Array.isArray(data75)) {
        const len7 = data75.length;
        for (let i7 = 0; i7 < len7; i7++) {
          let data76 = data75[i7];
          if (data76 && typeof data76 == "object" && !Array.isArray(data76)) {
            if (data76.to === void 0) {
              const err152 = { instancePath: instancePath + "/imports/" + i7, schemaPath: "#/properties/imports/items/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'", schema: schema31.properties.imports.items.required, parentSchema: schema31.properties.imports.items, data: data76 };
              if (vErrors === null) {
                vErrors = [err152];
              } else {
                vErrors.push(err152);
              }
              errors++;
            }
            if (data76.id === void 0) {
              const err153 = { instancePath: instancePath + "/imports/" + i7, schemaPath: "#/properties/imports/items/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'", schema: schema31.properties.imports.items.required, parentSchema: schema31.properties.imports.items, data: data76 };
              if (vErrors === null) {
                vErrors = [err153];
              } else {
                vErrors.push(err153);
              }
              errors++;
            }
            for (const key30 in data76) {
              if (!(key30 === "to" || key30 === "id")) {
                const err154 = { instancePath: instancePath + "/imports/" + i7, schemaPath: "#/properties/imports/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key30 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.imports.items, data: data76 };
                if (vErrors === null) {
                  vErrors = [err154];
                } else {
                  vErrors.push(err154);
                }
                errors++;
              }
            }
            if (data76.to !== void 0) {
              let data77 = data76.to;
              if (typeof data77 === "string") {
                if (func2(data77) < 1) {
                  const err155 = { instancePath: instancePath + "/imports/" + i7 + "/to", schemaPath: "#/properties/imports/items/properties/to/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.imports.items.properties.to, data: data77 };
                  if (vErrors === null) {
                    vErrors = [err155];
                  } else {
                    vErrors.push(err155);
                  }
                  errors++;
                }
              } else {
                const err156 = { instancePath: instancePath + "/imports/" + i7 + "/to", schemaPath: "#/properties/imports/items/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.imports.items.properties.to.type, parentSchema: schema31.properties.imports.items.properties.to, data: data77 };
                if (vErrors === null) {
                  vErrors = [err156];
                } else {
                  vErrors.push(err156);
                }
                errors++;
              }
            }
            if (data76.id !== void 0) {
              let data78 = data76.id;
              if (typeof data78 === "string") {
                if (func2(data78) < 1) {
                  const err157 = { instancePath: instancePath + "/imports/" + i7 + "/id", schemaPath: "#/properties/imports/items/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.imports.items.properties.id, data: data78 };
                  if (vErrors === null) {
                    vErrors = [err157];
                  } else {
                    vErrors.push(err157);
                  }
                  errors++;
                }
              } else {
                const err158 = { instancePath: instancePath + "/imports/" + i7 + "/id", schemaPath: "#/properties/imports/items/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.imports.items.properties.id.type, parentSchema: schema31.properties.imports.items.properties.id, data: data78 };
                if (vErrors === null) {
                  vErrors = [err158];
                } else {
                  vErrors.push(err158);
                }
                errors++;
              }
            }
          } else {
            const err159 = { instancePath: instancePath + "/imports/" + i7, schemaPath: "#/properties/imports/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.imports.items.type, parentSchema: schema31.properties.imports.items, data: data76 };
            if (vErrors === null) {
              vErrors = [err159];
            } else {
              vErrors.push(err159);
            }
            errors++;
          }
        }
      } else {
        const err160 = { instancePath: instancePath + "/imports", schemaPath: "#/properties/imports/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.imports.type, parentSchema: schema31.properties.imports, data: data75 };
        if (vErrors === null) {
          vErrors = [err160];
        } else {
          vErrors.push(err160);
        }
        errors++;
      }
    }
    if (data.moved !== void 0) {
      let data79 = data.moved;
      if (Array.isArray(data79)) {
        const len8 = data79.length;
        for (let i8 = 0; i8 < len8; i8++) {
          let data80 = data79[i8];
          if (data80 && typeof data80 == "object" && !Array.isArray(data80)) {
            if (data80.from === void 0) {
              const err161 = { instancePath: instancePath + "/moved/" + i8, schemaPath: "#/properties/moved/items/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'", schema: schema31.properties.moved.items.required, parentSchema: schema31.properties.moved.items, data: data80 };
              if (vErrors === null) {
                vErrors = [err161];
              } else {
                vErrors.push(err161);
              }
              errors++;
            }
            if (data80.to === void 0) {
              const err162 = { instancePath: instancePath + "/moved/" + i8, schemaPath: "#/properties/moved/items/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'", schema: schema31.properties.moved.items.required, parentSchema: schema31.properties.moved.items, data: data80 };
              if (vErrors === null) {
                vErrors = [err162];
              } else {
                vErrors.push(err162);
              }
              errors++;
            }
            for (const key31 in data80) {
              if (!(key31 === "from" || key31 === "to")) {
                const err163 = { instancePath: instancePath + "/moved/" + i8, schemaPath: "#/properties/moved/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key31 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.moved.items, data: data80 };
                if (vErrors === null) {
                  vErrors = [err163];
                } else {
                  vErrors.push(err163);
                }
                errors++;
              }
            }
            if (data80.from !== void 0) {
              let data81 = data80.from;
              if (typeof data81 === "string") {
                if (func2(data81) < 1) {
                  const err164 = { instancePath: instancePath + "/moved/" + i8 + "/from", schemaPath: "#/properties/moved/items/properties/from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.moved.items.properties.from, data: data81 };
                  if (vErrors === null) {
                    vErrors = [err164];
                  } else {
                    vErrors.push(err164);
                  }
                  errors++;
                }
              } else {
                const err165 = { instancePath: instancePath + "/moved/" + i8 + "/from", schemaPath: "#/properties/moved/items/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.moved.items.properties.from.type, parentSchema: schema31.properties.moved.items.properties.from, data: data81 };
                if (vErrors === null) {
                  vErrors = [err165];
                } else {
                  vErrors.push(err165);
                }
                errors++;
              }
            }
            if (data80.to !== void 0) {
              let data82 = data80.to;
              if (typeof data82 === "string") {
                if (func2(data82) < 1) {
                  const err166 = { instancePath: instancePath + "/moved/" + i8 + "/to", schemaPath: "#/properties/moved/items/properties/to/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.moved.items.properties.to, data: data82 };
                  if (vErrors === null) {
                    vErrors = [err166];
                  } else {
                    vErrors.push(err166);
                  }
                  errors++;
                }
              } else {
                const err167 = { instancePath: instancePath + "/moved/" + i8 + "/to", schemaPath: "#/properties/moved/items/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.moved.items.properties.to.type, parentSchema: schema31.properties.moved.items.properties.to, data: data82 };
                if (vErrors === null) {
                  vErrors = [err167];
                } else {
                  vErrors.push(err167);
                }
                errors++;
              }
            }
          } else {
            const err168 = { instancePath: instancePath + "/moved/" + i8, schemaPath: "#/properties/moved/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.moved.items.type, parentSchema: schema31.properties.moved.items, data: data80 };
            if (vErrors === null) {
              vErrors = [err168];
            } else {
              vErrors.push(err168);
            }
            errors++;
          }
        }
      } else {
        const err169 = { instancePath: instancePath + "/moved", schemaPath: "#/properties/moved/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.moved.type, parentSchema: schema31.properties.moved, data: data79 };
        if (vErrors === null) {
          vErrors = [err169];
        } else {
          vErrors.push(err169);
        }
        errors++;
      }
    }
    if (data.removed !== void 0) {
      let data83 = data.removed;
      if (Array.isArray(data83)) {
        const len9 = data83.length;
        for (let i9 = 0; i9 < len9; i9++) {
          let data84 = data83[i9];
          if (data84 && typeof data84 == "object" && !Array.isArray(data84)) {
            if (data84.from === void 0) {
              const err170 = { instancePath: instancePath + "/removed/" + i9, schemaPath: "#/properties/removed/items/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'", schema: schema31.properties.removed.items.required, parentSchema: schema31.properties.removed.items, data: data84 };
              if (vErrors === null) {
                vErrors = [err170];
              } else {
                vErrors.push(err170);
              }
              errors++;
            }
            for (const key32 in data84) {
              if (!(key32 === "from" || key32 === "destroy")) {
                const err171 = { instancePath: instancePath + "/removed/" + i9, schemaPath: "#/properties/removed/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key32 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.removed.items, data: data84 };
                if (vErrors === null) {
                  vErrors = [err171];
                } else {
                  vErrors.push(err171);
                }
                errors++;
              }
            }
            if (data84.from !== void 0) {
              let data85 = data84.from;
              if (typeof data85 === "string") {
                if (func2(data85) < 1) {
                  const err172 = { instancePath: instancePath + "/removed/" + i9 + "/from", schemaPath: "#/properties/removed/items/properties/from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.removed.items.properties.from, data: data85 };
                  if (vErrors === null) {
                    vErrors = [err172];
                  } else {
                    vErrors.push(err172);
                  }
                  errors++;
                }
              } else {
                const err173 = { instancePath: instancePath + "/removed/" + i9 + "/from", schemaPath: "#/properties/removed/items/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.removed.items.properties.from.type, parentSchema: schema31.properties.removed.items.properties.from, data: data85 };
                if (vErrors === null) {
                  vErrors = [err173];
                } else {
                  vErrors.push(err173);
                }
                errors++;
              }
            }
            if (data84.destroy !== void 0) {
              let data86 = data84.destroy;
              if (typeof data86 !== "boolean") {
                const err174 = { instancePath: instancePath + "/removed/" + i9 + "/destroy", schemaPath: "#/properties/removed/items/properties/destroy/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.removed.items.properties.destroy.type, parentSchema: schema31.properties.removed.items.properties.destroy, data: data86 };
                if (vErrors === null) {
                  vErrors = [err174];
                } else {
                  vErrors.push(err174);
                }
                errors++;
              }
            }
          } else {
            const err175 = { instancePath: instancePath + "/removed/" + i9, schemaPath: "#/properties/removed/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.removed.items.type, parentSchema: schema31.properties.removed.items, data: data84 };
            if (vErrors === null) {
              vErrors = [err175];
            } else {
              vErrors.push(err175);
            }
            errors++;
          }
        }
      } else {
        const err176 = { instancePath: instancePath + "/removed", schemaPath: "#/properties/removed/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.removed.type, parentSchema: schema31.properties.removed, data: data83 };
        if (vErrors === null) {
          vErrors = [err176];
        } else {
          vErrors.push(err176);
        }
        errors++;
      }
    }
    if (data.outputs !== void 0) {
      let data87 = data.outputs;
      if (data87 && typeof data87 == "object" && !Array.isArray(data87)) {
        for (const key33 in data87) {
          const _errs255 = errors;
          if (typeof key33 === "string") {
            if (!pattern5.test(key33)) {
              const err177 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.outputs.propertyNames, data: key33, propertyName: key33 };
              if (vErrors === null) {
                vErrors = [err177];
              } else {
                vErrors.push(err177);
              }
              errors++;
            }
          }
          var valid68 = _errs255 === errors;
          if (!valid68) {
            const err178 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/propertyNames", keyword: "propertyNames", params: { propertyName: key33 }, message: "property name must be valid", schema: schema31.properties.outputs.propertyNames, parentSchema: schema31.properties.outputs, data: data87 };
            if (vErrors === null) {
              vErrors = [err178];
            } else {
              vErrors.push(err178);
            }
            errors++;
          }
        }
        for (const key34 in data87) {
          let data88 = data87[key34];
          if ((!data88 || typeof data88 != "object") && typeof data88 !== "string" && !(typeof data88 == "number" && isFinite(data88)) && typeof data88 !== "boolean") {
            const err179 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/outputs/additionalProperties/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.type }, message: "must be string,number,boolean,array,object", schema: schema31.properties.outputs.additionalProperties.type, parentSchema: schema31.properties.outputs.additionalProperties, data: data88 };
            if (vErrors === null) {
              vErrors = [err179];
            } else {
              vErrors.push(err179);
            }
            errors++;
          }
          if (Array.isArray(data88)) {
            const len10 = data88.length;
            for (let i10 = 0; i10 < len10; i10++) {
              let data89 = data88[i10];
              if (typeof data89 !== "string" && !(typeof data89 == "number" && isFinite(data89)) && typeof data89 !== "boolean") {
                const err180 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i10, schemaPath: "#/properties/outputs/additionalProperties/items/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.items.type }, message: "must be string,number,boolean", schema: schema31.properties.outputs.additionalProperties.items.type, parentSchema: schema31.properties.outputs.additionalProperties.items, data: data89 };
                if (vErrors === null) {
                  vErrors = [err180];
                } else {
                  vErrors.push(err180);
                }
                errors++;
              }
            }
          }
          if (data88 && typeof data88 == "object" && !Array.isArray(data88)) {
            for (const key35 in data88) {
              if (!(key35 === "value" || key35 === "sensitive" || key35 === "description")) {
                const err181 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/outputs/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key35 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.outputs.additionalProperties, data: data88 };
                if (vErrors === null) {
                  vErrors = [err181];
                } else {
                  vErrors.push(err181);
                }
                errors++;
              }
            }
            if (data88.value !== void 0) {
              let data90 = data88.value;
              if (typeof data90 !== "string" && !(typeof data90 == "number" && isFinite(data90)) && typeof data90 !== "boolean" && !Array.isArray(data90)) {
                const err182 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1") + "/value", schemaPath: "#/properties/outputs/additionalProperties/properties/value/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.properties.value.type }, message: "must be string,number,boolean,array", schema: schema31.properties.outputs.additionalProperties.properties.value.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.value, data: data90 };
                if (vErrors === null) {
                  vErrors = [err182];
                } else {
                  vErrors.push(err182);
                }
                errors++;
              }
              if (Array.isArray(data90)) {
                const len11 = data90.length;
                for (let i11 = 0; i11 < len11; i11++) {
                  let data91 = data90[i11];
                  if (typeof data91 !== "string" && !(typeof data91 == "number" && isFinite(data91)) && typeof data91 !== "boolean") {
                    const err183 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1") + "/value/" + i11, schemaPath: "#/properties/outputs/additionalProperties/properties/value/items/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.properties.value.items.type }, message: "must be string,number,boolean", schema: schema31.properties.outputs.additionalProperties.properties.value.items.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.value.items, data: data91 };
                    if (vErrors === null) {
                      vErrors = [err183];
                    } else {
                      vErrors.push(err183);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data88.sensitive !== void 0) {
              let data92 = data88.sensitive;
              if (typeof data92 !== "boolean") {
                const err184 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/outputs/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.outputs.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.sensitive, data: data92 };
                if (vErrors === null) {
                  vErrors = [err184];
                } else {
                  vErrors.push(err184);
                }
                errors++;
              }
            }
            if (data88.description !== void 0) {
              let data93 = data88.description;
              if (typeof data93 !== "string") {
                const err185 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/outputs/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.outputs.additionalProperties.properties.description.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.description, data: data93 };
                if (vErrors === null) {
                  vErrors = [err185];
                } else {
                  vErrors.push(err185);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err186 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.outputs.type, parentSchema: schema31.properties.outputs, data: data87 };
        if (vErrors === null) {
          vErrors = [err186];
        } else {
          vErrors.push(err186);
        }
        errors++;
      }
    }
    if (data.limits !== void 0) {
      let data94 = data.limits;
      if (data94 && typeof data94 == "object" && !Array.isArray(data94)) {
        for (const key36 in data94) {
          if (!(key36 === "delete" || key36 === "replace" || key36 === "recreate" || key36 === "unsubscribe")) {
            const err187 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key36 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.limits, data: data94 };
            if (vErrors === null) {
              vErrors = [err187];
            } else {
              vErrors.push(err187);
            }
            errors++;
          }
        }
        if (data94.delete !== void 0) {
          let data95 = data94.delete;
          if (!(typeof data95 == "number" && (!(data95 % 1) && !isNaN(data95)) && isFinite(data95)) && typeof data95 !== "string") {
            const err188 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/type", keyword: "type", params: { type: schema31.properties.limits.properties.delete.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.delete.type, parentSchema: schema31.properties.limits.properties.delete, data: data95 };
            if (vErrors === null) {
              vErrors = [err188];
            } else {
              vErrors.push(err188);
            }
            errors++;
          }
          if (typeof data95 == "number" && isFinite(data95)) {
            if (data95 < 0 || isNaN(data95)) {
              const err189 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.delete, data: data95 };
              if (vErrors === null) {
                vErrors = [err189];
              } else {
                vErrors.push(err189);
              }
              errors++;
            }
          }
          if (typeof data95 === "string") {
            if (!pattern17.test(data95)) {
              const err190 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.delete, data: data95 };
              if (vErrors === null) {
                vErrors = [err190];
              } else {
                vErrors.push(err190);
              }
              errors++;
            }
          }
        }
        if (data94.replace !== void 0) {
          let data96 = data94.replace;
          if (!(typeof data96 == "number" && (!(data96 % 1) && !isNaN(data96)) && isFinite(data96)) && typeof data96 !== "string") {
            const err191 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/type", keyword: "type", params: { type: schema31.properties.limits.properties.replace.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.replace.type, parentSchema: schema31.properties.limits.properties.replace, data: data96 };
            if (vErrors === null) {
              vErrors = [err191];
            } else {
              vErrors.push(err191);
            }
            errors++;
          }
          if (typeof data96 == "number" && isFinite(data96)) {
            if (data96 < 0 || isNaN(data96)) {
              const err192 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.replace, data: data96 };
              if (vErrors === null) {
                vErrors = [err192];
              } else {
                vErrors.push(err192);
              }
              errors++;
            }
          }
          if (typeof data96 === "string") {
            if (!pattern17.test(data96)) {
              const err193 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.replace, data: data96 };
              if (vErrors === null) {
                vErrors = [err193];
              } else {
                vErrors.push(err193);
              }
              errors++;
            }
          }
        }
        if (data94.recreate !== void 0) {
          let data97 = data94.recreate;
          if (!(typeof data97 == "number" && (!(data97 % 1) && !isNaN(data97)) && isFinite(data97)) && typeof data97 !== "string") {
            const err194 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/type", keyword: "type", params: { type: schema31.properties.limits.properties.recreate.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.recreate.type, parentSchema: schema31.properties.limits.properties.recreate, data: data97 };
            if (vErrors === null) {
              vErrors = [err194];
            } else {
              vErrors.push(err194);
            }
            errors++;
          }
          if (typeof data97 == "number" && isFinite(data97)) {
            if (data97 < 0 || isNaN(data97)) {
              const err195 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.recreate, data: data97 };
              if (vErrors === null) {
                vErrors = [err195];
              } else {
                vErrors.push(err195);
              }
              errors++;
            }
          }
          if (typeof data97 === "string") {
            if (!pattern17.test(data97)) {
              const err196 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.recreate, data: data97 };
              if (vErrors === null) {
                vErrors = [err196];
              } else {
                vErrors.push(err196);
              }
              errors++;
            }
          }
        }
        if (data94.unsubscribe !== void 0) {
          let data98 = data94.unsubscribe;
          if (!(typeof data98 == "number" && (!(data98 % 1) && !isNaN(data98)) && isFinite(data98)) && typeof data98 !== "string") {
            const err197 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/type", keyword: "type", params: { type: schema31.properties.limits.properties.unsubscribe.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.unsubscribe.type, parentSchema: schema31.properties.limits.properties.unsubscribe, data: data98 };
            if (vErrors === null) {
              vErrors = [err197];
            } else {
              vErrors.push(err197);
            }
            errors++;
          }
          if (typeof data98 == "number" && isFinite(data98)) {
            if (data98 < 0 || isNaN(data98)) {
              const err198 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.unsubscribe, data: data98 };
              if (vErrors === null) {
                vErrors = [err198];
              } else {
                vErrors.push(err198);
              }
              errors++;
            }
          }
          if (typeof data98 === "string") {
            if (!pattern17.test(data98)) {
              const err199 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.unsubscribe, data: data98 };
              if (vErrors === null) {
                vErrors = [err199];
              } else {
                vErrors.push(err199);
              }
              errors++;
            }
          }
        }
      } else {
        const err200 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.limits.type, parentSchema: schema31.properties.limits, data: data94 };
        if (vErrors === null) {
          vErrors = [err200];
        } else {
          vErrors.push(err200);
        }
        errors++;
      }
    }
  } else {
    const err201 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.type, parentSchema: schema31, data };
    if (vErrors === null) {
      vErrors = [err201];
    } else {
      vErrors.push(err201);
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
