terraform {
  required_providers {
    outreach = {
      source  = "outreach-as-code/outreach"
      version = "~> 0.1"
    }
  }
}

# Reads OUTREACH_BASE_URL and OUTREACH_API_KEY from the environment.
provider "outreach" {}
