// generated from provider function schema

import * as cdktn from 'cdktn';

/**
* Provider-defined functions of the outreach provider.
*/
export class OutreachProviderFunctions {
  private readonly providerLocalName: string;

  /**
  * @param providerLocalName The local name of the provider in required_providers; defaults to the registry short name. Override when the provider is declared under a different local name — aliases do not change the namespace, local names do.
  */
  constructor(providerLocalName: string) {
    this.providerLocalName = providerLocalName;
  }

  /**
  * Returns the event types that a webhook can receive, in the order of the service's documentation.
  * @returns {Array<string>}
  */
  public eventTypes(): string[] {
    return cdktn.Token.asList(cdktn.TerraformProviderFunction.invoke(this.providerLocalName, "event_types", []));
  }

  /**
  * Returns whether the body of an event contains this secret in its field `secret`. Without that field, it returns false. The comparison takes constant time.
  * @param {string} payloadJson - Body of the event as received: a JSON object.
  * @param {string} secret - Secret of the webhook. It cannot be empty.
  * @returns {boolean | IResolvable}
  */
  public verifySecret(payloadJson: string, secret: string): cdktn.IResolvable {
    return cdktn.TerraformProviderFunction.invoke(this.providerLocalName, "verify_secret", [payloadJson, secret]);
  }
}
