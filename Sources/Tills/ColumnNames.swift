/// What tills call their columns, in the forms that ``plain(_:)`` gives.
enum ColumnNames {
    /// The letters and digits of a name, in lower case.
    static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// Parts of the names of times at which an order is no longer new.
    static let later = [
        "deliver", "ship", "paid", "payment", "updat", "modif", "clos", "complet", "finish", "ended", "liefer",
        "bezahlt",
        "livraison", "entrega",
    ]

    static let order = words(
        """
        order orderno ordernumber ordernr orderid transaction transactionno transactionnumber transactionid
        receipt receiptno receiptnumber receiptid invoice invoiceno invoicenumber invoiceid bill billno billnumber
        billid
        ticket ticketno ticketnumber ticketid check checkno checknumber checkid basket basketid saleid salesid tx txid
        bestellung bestellnummer bestellnr auftrag auftragsnummer beleg belegnr belegnummer bon bonnr bonnummer rechnung
        rechnungsnr rechnungsnummer transaktion vorgang commande nocommande numérodecommande numerodecommande facture
        nofacture pedido nropedido númerodepedido numerodepedido factura recibo comanda ordine numeroordine scontrino
        ricevuta bestelling bestelnummer bonnetje kvitto kvittonr ordrenr paragon zamówienie заказ номерзаказа чек
        номерчека 주문 주문번호 영수증 영수증번호 거래번호 注文 注文番号 伝票番号 レシート番号 订单 订单号 单号
        """)

    static let item = words(
        """
        item itemname items product productname article articlename menuitem coffeename coffee juice drink beverage dish
        productdetail itemdescription description producttype name artikel artikelname artikelbezeichnung produkt
        produktname bezeichnung ware getränk getraenk speise produit nomduproduit articlevendu libellé libelle
        désignation designation producto nombreproducto artículo articulo descripción descripcion bebida produto
        descrição
        prodotto articolo descrizione bevanda omschrijving produktnamn vara towar товар наименование блюдо напиток
        상품 상품명 품목 메뉴 메뉴명 음료 商品 商品名 品名 品目 メニュー 菜品 产品 产品名称
        """)

    static let quantity = words(
        """
        quantity qty cups count units pieces pcs itemquantity transactionqty menge anzahl stück stueck stk stückzahl
        quantité quantite qté qte nombre cantidad cant unidades quantidade qtd qtde quantità quantita qta aantal antal
        ilość количество колво кол 수량 개수 数量 個数
        """)

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
